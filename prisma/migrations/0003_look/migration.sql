-- AlterTable
ALTER TABLE "workload" ADD COLUMN     "looks_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "placement" ADD COLUMN     "needs_restart" BOOLEAN NOT NULL DEFAULT false;

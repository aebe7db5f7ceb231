-- AlterTable
ALTER TABLE "workload" ADD COLUMN "looks_until" DATETIME;

-- AlterTable
ALTER TABLE "placement" ADD COLUMN "needs_restart" BOOLEAN NOT NULL DEFAULT false;

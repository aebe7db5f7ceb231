-- AlterTable
ALTER TABLE "workload" ADD COLUMN     "last_busy_at" TIMESTAMPTZ(3),
ADD COLUMN     "settings" JSONB,
ADD COLUMN     "stop_at" TIMESTAMPTZ(3),
ADD COLUMN     "stop_why" TEXT;

-- AlterTable
ALTER TABLE "placement" ADD COLUMN     "boot_id" TEXT;

-- CreateTable
CREATE TABLE "workload_sample" (
    "workload_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "workload_sample_pkey" PRIMARY KEY ("workload_id","slot")
);

-- CreateTable
CREATE TABLE "orphan" (
    "placement_id" TEXT NOT NULL,
    "machine_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "workload_gen" INTEGER NOT NULL,
    "spec" JSONB,
    "status" TEXT NOT NULL,
    "decision" TEXT,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orphan_pkey" PRIMARY KEY ("placement_id")
);

-- CreateIndex
CREATE INDEX "orphan_machine_id_idx" ON "orphan"("machine_id");

-- AddForeignKey
ALTER TABLE "workload_sample" ADD CONSTRAINT "workload_sample_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orphan" ADD CONSTRAINT "orphan_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

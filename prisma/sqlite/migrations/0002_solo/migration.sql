-- AlterTable
ALTER TABLE "workload" ADD COLUMN "last_busy_at" DATETIME;
ALTER TABLE "workload" ADD COLUMN "settings" JSONB;
ALTER TABLE "workload" ADD COLUMN "stop_at" DATETIME;
ALTER TABLE "workload" ADD COLUMN "stop_why" TEXT;

-- AlterTable
ALTER TABLE "placement" ADD COLUMN "boot_id" TEXT;

-- CreateTable
CREATE TABLE "workload_sample" (
    "workload_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    "body" JSONB NOT NULL,

    PRIMARY KEY ("workload_id", "slot"),
    CONSTRAINT "workload_sample_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "orphan" (
    "placement_id" TEXT NOT NULL PRIMARY KEY,
    "machine_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "workload_gen" INTEGER NOT NULL,
    "spec" JSONB,
    "status" TEXT NOT NULL,
    "decision" TEXT,
    "first_seen_at" DATETIME NOT NULL,
    "last_seen_at" DATETIME NOT NULL,
    CONSTRAINT "orphan_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "orphan_machine_id_idx" ON "orphan"("machine_id");

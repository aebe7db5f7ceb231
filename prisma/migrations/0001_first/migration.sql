-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "installation" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "setup_done" TIMESTAMPTZ(3),
    "quarantine" BOOLEAN NOT NULL DEFAULT false,
    "ca_pem" TEXT,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setup" (
    "id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "setup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "trust" TEXT NOT NULL,
    "policies" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quota" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_key" TEXT NOT NULL DEFAULT '',
    "limits" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "quota_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "theme" TEXT NOT NULL DEFAULT 'system',
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identity" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "password_hash" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "sharing" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "public_key" TEXT,
    "mount_roots" JSONB NOT NULL,
    "inventory" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "machine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "machine_contact" (
    "machine_id" TEXT NOT NULL,
    "machine_gen" INTEGER NOT NULL DEFAULT 0,
    "controller_id" TEXT,
    "boot_id" TEXT,
    "connected_at" TIMESTAMPTZ(3),
    "last_contact_at" TIMESTAMPTZ(3),

    CONSTRAINT "machine_contact_pkey" PRIMARY KEY ("machine_id")
);

-- CreateTable
CREATE TABLE "machine_certificate" (
    "serial" TEXT NOT NULL,
    "machine_id" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "machine_certificate_pkey" PRIMARY KEY ("serial")
);

-- CreateTable
CREATE TABLE "join_token" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "machine_id" TEXT,
    "region" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "join_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "workload" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "live_name" TEXT,
    "label" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "state_since" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "workload_gen" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "reason" JSONB,
    "reason_at" TIMESTAMPTZ(3),
    "progress" JSONB,
    "progress_at" TIMESTAMPTZ(3),
    "exit_code" INTEGER,
    "placement_id" TEXT,
    "workspace_machine_id" TEXT,
    "last_opened_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "placement" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "workload_gen" INTEGER NOT NULL,
    "pool" TEXT NOT NULL,
    "machine_id" TEXT,
    "driver" TEXT NOT NULL,
    "placed_class" TEXT,
    "devices" JSONB NOT NULL,
    "cpus" INTEGER NOT NULL,
    "memory_bytes" BIGINT NOT NULL,
    "disk_bytes" BIGINT NOT NULL,
    "want" TEXT NOT NULL,
    "acked_want" TEXT,
    "acked_at" TIMESTAMPTZ(3),
    "controller_epoch" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "released_at" TIMESTAMPTZ(3),
    "released_why" TEXT,

    CONSTRAINT "placement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operation" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "open_key" TEXT,
    "user_id" TEXT,
    "progress" JSONB,
    "cancelable" BOOLEAN NOT NULL DEFAULT false,
    "outcome" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "operation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workload_event" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "change_no" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT,
    "code" TEXT NOT NULL,
    "args" JSONB NOT NULL,
    "actor" TEXT NOT NULL,
    "actor_id" TEXT,

    CONSTRAINT "workload_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "share" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "user_key" TEXT NOT NULL DEFAULT '',
    "level" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "share_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "control_lease" (
    "workload_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "controller_gen" INTEGER NOT NULL DEFAULT 0,
    "holder" TEXT,
    "user_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "control_lease_pkey" PRIMARY KEY ("workload_id")
);

-- CreateTable
CREATE TABLE "ticket" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sign_in_id" TEXT,
    "api_token_id" TEXT,
    "workload_id" TEXT NOT NULL,
    "placement_id" TEXT,
    "purpose" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "nonce_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "door_pass" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sign_in_id" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "placement_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "door_pass_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sample" (
    "machine_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "sample_pkey" PRIMARY KEY ("machine_id","slot")
);

-- CreateTable
CREATE TABLE "change_counter" (
    "id" INTEGER NOT NULL,
    "value" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "change_counter_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "workload_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "workload_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "machine_id" TEXT NOT NULL,
    "bytes" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("workload_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "setup_secret_hash_key" ON "setup"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "quota_tenant_id_user_key_key" ON "quota"("tenant_id", "user_key");

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE INDEX "identity_user_id_idx" ON "identity"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "identity_issuer_subject_key" ON "identity"("issuer", "subject");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "membership_tenant_id_user_id_key" ON "membership"("tenant_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_secret_hash_key" ON "sign_in"("secret_hash");

-- CreateIndex
CREATE INDEX "sign_in_user_id_idx" ON "sign_in"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_secret_hash_key" ON "api_token"("secret_hash");

-- CreateIndex
CREATE INDEX "api_token_tenant_id_user_id_idx" ON "api_token"("tenant_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "machine_tenant_id_name_key" ON "machine"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "machine_certificate_machine_id_idx" ON "machine_certificate"("machine_id");

-- CreateIndex
CREATE UNIQUE INDEX "join_token_secret_hash_key" ON "join_token"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "workload_live_name_key" ON "workload"("live_name");

-- CreateIndex
CREATE UNIQUE INDEX "workload_label_key" ON "workload"("label");

-- CreateIndex
CREATE INDEX "workload_tenant_id_state_idx" ON "workload"("tenant_id", "state");

-- CreateIndex
CREATE INDEX "workload_tenant_id_created_at_idx" ON "workload"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "workload_state_idx" ON "workload"("state");

-- CreateIndex
CREATE INDEX "placement_machine_id_released_at_idx" ON "placement"("machine_id", "released_at");

-- CreateIndex
CREATE UNIQUE INDEX "placement_workload_id_workload_gen_key" ON "placement"("workload_id", "workload_gen");

-- CreateIndex
CREATE UNIQUE INDEX "operation_open_key_key" ON "operation"("open_key");

-- CreateIndex
CREATE INDEX "operation_workload_id_idx" ON "operation"("workload_id");

-- CreateIndex
CREATE INDEX "workload_event_tenant_id_at_idx" ON "workload_event"("tenant_id", "at");

-- CreateIndex
CREATE INDEX "workload_event_tenant_id_change_no_idx" ON "workload_event"("tenant_id", "change_no");

-- CreateIndex
CREATE UNIQUE INDEX "workload_event_workload_id_seq_key" ON "workload_event"("workload_id", "seq");

-- CreateIndex
CREATE INDEX "share_tenant_id_user_key_idx" ON "share"("tenant_id", "user_key");

-- CreateIndex
CREATE UNIQUE INDEX "share_workload_id_user_key_key" ON "share"("workload_id", "user_key");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_secret_hash_key" ON "ticket"("secret_hash");

-- CreateIndex
CREATE INDEX "ticket_expires_at_idx" ON "ticket"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "door_pass_secret_hash_key" ON "door_pass"("secret_hash");

-- CreateIndex
CREATE INDEX "door_pass_workload_id_idx" ON "door_pass"("workload_id");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_key_tenant_id_user_id_key_key" ON "idempotency_key"("tenant_id", "user_id", "key");

-- AddForeignKey
ALTER TABLE "quota" ADD CONSTRAINT "quota_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in" ADD CONSTRAINT "sign_in_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "machine" ADD CONSTRAINT "machine_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "machine" ADD CONSTRAINT "machine_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "machine_contact" ADD CONSTRAINT "machine_contact_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "machine_certificate" ADD CONSTRAINT "machine_certificate_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload" ADD CONSTRAINT "workload_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload" ADD CONSTRAINT "workload_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "placement" ADD CONSTRAINT "placement_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "placement" ADD CONSTRAINT "placement_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operation" ADD CONSTRAINT "operation_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload_event" ADD CONSTRAINT "workload_event_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "share" ADD CONSTRAINT "share_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sample" ADD CONSTRAINT "sample_machine_id_fkey" FOREIGN KEY ("machine_id") REFERENCES "machine"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_workload_id_fkey" FOREIGN KEY ("workload_id") REFERENCES "workload"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- The timeline is append-only.
CREATE FUNCTION "workload_event_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'workload_event is append-only' USING ERRCODE = '23001'; END; $$;
CREATE TRIGGER "workload_event_no_change" BEFORE UPDATE OR DELETE ON "workload_event" FOR EACH ROW EXECUTE FUNCTION "workload_event_append_only"();
CREATE TRIGGER "workload_event_no_truncate" BEFORE TRUNCATE ON "workload_event" FOR EACH STATEMENT EXECUTE FUNCTION "workload_event_append_only"();

-- The one row that every state change raises. Who listens on the channel is woken at commit.
INSERT INTO "change_counter" ("id", "value") VALUES (1, 0);
CREATE FUNCTION "change_counter_notify"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('berth_changes', NEW."value"::text); RETURN NULL; END; $$;
CREATE TRIGGER "change_counter_raised" AFTER UPDATE ON "change_counter" FOR EACH ROW EXECUTE FUNCTION "change_counter_notify"();

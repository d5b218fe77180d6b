-- When the state that readers see last changed, by the clock of the database, for the header Last-Modified. Read-model tables
-- of a new catalog have these columns already.
alter table checkpoints add column if not exists moved_at timestamptz not null default clock_timestamp();
alter table scope_heads add column if not exists moved_at timestamptz not null default clock_timestamp();
alter table digests add column if not exists made_at timestamptz not null default clock_timestamp();
alter table snapshots add column if not exists saved_at timestamptz not null default clock_timestamp();
alter table feed_floors add column if not exists moved_at timestamptz not null default clock_timestamp();

-- When a run ended, by the clock of its process; null for runs that were projected before this column.
alter table run_marks add column if not exists finished_at timestamptz;

-- Builds beside the served one.
do $$
declare beside text;
begin
  for beside in select nspname from pg_namespace where nspname ~ ('^' || current_schema() || '_build_[0-9]+$') loop
    execute format('alter table %I.checkpoints add column if not exists moved_at timestamptz not null default clock_timestamp()', beside);
    execute format('alter table %I.scope_heads add column if not exists moved_at timestamptz not null default clock_timestamp()', beside);
    execute format('alter table %I.run_marks add column if not exists finished_at timestamptz', beside);
  end loop;
end $$;

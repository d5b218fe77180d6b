-- People who operate the catalog: a command names them.
create table operators (
  user_id text primary key references users on delete cascade,
  added_at timestamptz not null
);

-- What operators decided in the console, and how it went. One that waits is not in the log yet: it is recorded once it is due,
-- unless its person takes it back.
create table operator_decisions (
  decision bigint generated always as identity primary key,
  decided_at timestamptz not null,
  -- The e-mail of the person: events hold none.
  actor text not null,
  action text not null,
  -- What it is about, for people.
  subject text not null,
  -- The arguments as JSON.
  content text not null,
  due_at timestamptz not null,
  state text not null check (state in ('waiting', 'recording', 'recorded', 'undone', 'refused')),
  -- Why it was refused; null otherwise.
  refusal text
);
create index operator_decisions_open on operator_decisions (due_at) where state in ('waiting', 'recording');

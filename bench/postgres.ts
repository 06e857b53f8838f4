import pg from 'pg'

interface OwnDatabase extends AsyncDisposable {
  readonly url: string
}

export async function createDatabase(server: string): Promise<OwnDatabase> {
  const name = `bench_${process.pid}_${Math.floor(performance.now())}`
  await query(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => void (await query(server, `drop database ${name} with (force)`)),
  }
}

export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

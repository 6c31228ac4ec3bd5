import { runCommand } from './command.ts'
import { connect, type Database } from './connect.ts'
import { namedDatabase } from './named-database.ts'

/** Does a command's work on the database that the environment names; `name` is for PostgreSQL's list of connections. */
export function runOnDatabase(name: string, work: (db: Database) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const { db, close } = connect(namedDatabase(process.env), { max: 2, name })
    try {
      await work(db)
    } finally {
      await close()
    }
  })
}

import { runCommand } from '../db/command.ts'
import { readConfig } from './config.ts'
import { createLog } from './http/logging.ts'
import { createService, type Service } from './service.ts'

/** Does a command's work with the service, which listens nowhere and does nothing in the background. */
export function runWithService(work: (service: Service) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const service = createService(readConfig(process.env), createLog('error'))
    try {
      await work(service)
    } finally {
      await service.stop()
    }
  })
}

import { getSettings } from '../cms/content.ts'
import { manifestAt } from '../site/manifest.ts'

/** For members: their icon opens the programme. */
export const GET = async (): Promise<Response> => manifestAt('/app/', (await getSettings()).brandName)

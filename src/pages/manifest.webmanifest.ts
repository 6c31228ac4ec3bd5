import { getSettings } from '../cms/content.ts'
import { manifestAt } from '../site/manifest.ts'

/** For visitors. */
export const GET = async (): Promise<Response> => manifestAt('/', (await getSettings()).brandName)

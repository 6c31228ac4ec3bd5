/**
 * What an image address requests: the parameters of Sanity's image pipeline, parsed and checked.
 * https://www.sanity.io/docs/apis-and-sdks/image-urls
 */
import { badRequest } from './errors.ts'

export type Rect = { left: number; top: number; width: number; height: number }
const FITS = ['clip', 'crop', 'fill', 'fillmax', 'max', 'scale', 'min'] as const
const CROPS = [
  'top',
  'bottom',
  'left',
  'right',
  'center',
  'focalpoint',
  'entropy',
  'top,left',
  'top,right',
  'bottom,left',
  'bottom,right',
] as const
const FORMATS = ['jpg', 'pjpg', 'png', 'webp', 'avif', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** A checked transformation. Sizes in pixels of the result, dpr already multiplied in. */
export type Transformation = {
  width: number | null
  height: number | null
  fit: (typeof FITS)[number]
  crop: (typeof CROPS)[number]
  focal: { x: number; y: number }
  rect: Rect | null
  format: Format | null
  auto: boolean
  quality: number
  blur: number
  sharpen: number
  orientation: number
  flip: string
  invert: boolean
  saturation: number | null
  background: string | null
  pad: number
}

const MAX_SIDE = 8192
const KNOWN = [
  'w',
  'h',
  'max-w',
  'max-h',
  'min-w',
  'min-h',
  'fit',
  'crop',
  'fp-x',
  'fp-y',
  'rect',
  'fm',
  'auto',
  'q',
  'dpr',
  'blur',
  'sharp',
  'sharpen',
  'or',
  'flip',
  'invert',
  'sat',
  'bg',
  'pad',
  'frame',
]

/** Reads the parameters; null when only the original is requested. Throws 400 naming the parameter. */
export function transformationOf(query: URLSearchParams): Transformation | null {
  if (!KNOWN.some((name) => query.has(name))) return null
  const number = (name: string, low: number, high: number): number | null => {
    const given = query.get(name)
    if (given === null || given === '') return null
    const value = Number(given)
    if (!Number.isFinite(value) || value < low || value > high)
      throw badRequest(`Invalid value of "${name}": must be a number from ${low} to ${high}`)
    return value
  }
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null => {
    const given = query.get(name)
    if (given === null || given === '') return null
    if (!values.includes(given as T)) throw badRequest(`Invalid value of "${name}": must be one of ${values.join(' ')}`)
    return given as T
  }
  const dpr = number('dpr', 1, 3) ?? 1
  const side = (name: string, cap: string) => {
    const value = number(name, 1, MAX_SIDE)
    const most = number(cap, 1, MAX_SIDE)
    const size = value === null ? most : Math.min(value, most ?? value)
    return size === null ? null : Math.min(MAX_SIDE, Math.round(size * dpr))
  }
  const rect = query.get('rect')
  const numbers = rect?.split(',').map(Number)
  if (numbers && (numbers.length !== 4 || numbers.some((value) => !Number.isFinite(value) || value < 0)))
    throw badRequest('Invalid value of "rect": must be left,top,width,height')
  const [left = 0, top = 0, width = 0, height = 0] = numbers ?? []
  const background = query.get('bg')
  if (background && !/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(background))
    throw badRequest('Invalid value of "bg": must be a colour in hexadecimal')
  return {
    width: side('w', 'max-w'),
    height: side('h', 'max-h'),
    fit: oneOf('fit', FITS) ?? 'clip',
    crop: oneOf('crop', CROPS) ?? (query.has('fp-x') ? 'focalpoint' : 'center'),
    focal: { x: number('fp-x', 0, 1) ?? 0.5, y: number('fp-y', 0, 1) ?? 0.5 },
    rect: numbers
      ? { left: Math.round(left), top: Math.round(top), width: Math.round(width), height: Math.round(height) }
      : null,
    format: oneOf('fm', FORMATS),
    auto: oneOf('auto', ['format'] as const) !== null,
    quality: Math.round(number('q', 0, 100) ?? 75),
    blur: number('blur', 0, 2000) ?? 0,
    sharpen: number('sharp', 0, 100) ?? number('sharpen', 0, 100) ?? 0,
    orientation: number('or', 0, 270) ?? 0,
    flip: oneOf('flip', ['h', 'v', 'hv'] as const) ?? '',
    invert: query.get('invert') === 'true',
    saturation: number('sat', -100, 100),
    background,
    pad: Math.round((number('pad', 0, 500) ?? 0) * dpr),
  }
}

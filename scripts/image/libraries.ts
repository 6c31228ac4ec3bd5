/** What Node itself needs of the system, and the Debian packages that it comes from. */
import { execFileSync } from 'node:child_process'

/** Files that the dynamic linker loads for a program, the linker among them, at the paths where it looks. */
export function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  const found = listed.split('\n').flatMap((line) => /(?:=> |^\s*)(\/\S+) \(0x/.exec(line)?.[1] ?? [])
  if (!found.some((path) => path.includes('/ld-linux'))) {
    throw new Error(`ldd names no dynamic linker for ${program}: the image needs a system with glibc`)
  }
  return found.sort()
}

export interface SystemPackage {
  name: string
  version: string
}

export function systemPackagesOf(files: readonly string[]): SystemPackage[] {
  const names = new Set(files.map(packageOf))
  return [...names].sort().map((name) => ({
    name,
    version: execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8' }),
  }))
}

function packageOf(file: string): string {
  // since /lib is a link to /usr/lib, either may be the path that the package names
  const other = file.startsWith('/usr/') ? file.slice(4) : `/usr${file}`
  for (const path of [file, other]) {
    try {
      const found = execFileSync('dpkg-query', ['-S', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return found.split(/[:,]/)[0] ?? ''
    } catch {
      // the other path may be known
    }
  }
  throw new Error(`No Debian package has ${file}`)
}

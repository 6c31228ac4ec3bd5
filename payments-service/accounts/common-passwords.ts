import { PASSWORD_MIN } from '../../contract/password.ts'

let list: Promise<ReadonlySet<string>> | undefined

/**
 * The most used passwords of leaked lists, in lower case, without those too short for us. Loaded when the first
 * password is chosen: the list is large, and most replicas never need it.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((one) => one.length >= PASSWORD_MIN)),
  )
  // the next caller tries again
  list.catch(() => (list = undefined))
  return list
}

/** Whether a password is a common one, whatever the case of its letters (OWASP ASVS V6.2.4). */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(password.normalize('NFKC').toLowerCase())
}

import { useEffect } from 'react'

/** The page's title, where one shell has many screens: what a saved page and a bookmark are called. */
export function useTitle(words: string): void {
  useEffect(() => {
    document.title = document.title.replace(/^.*(?= · )/, words)
  }, [words])
}

import type { Editor } from '@portabletext/editor'
import { EditorRefPlugin } from '@portabletext/editor/plugins'
import { getBlockEndPoint } from '@portabletext/editor/utils'
import { createContext, useContext, useRef, type RefObject } from 'react'
import type { ArrayOfObjectsInputProps, PortableTextPluginsProps } from 'sanity'
import { PlaceholderList } from './PlaceholderList.tsx'
import { Frame } from './placeholders.styles.ts'

/** The editor of the text that is around: the list of placeholders is beside it, not inside. */
const EditorOfText = createContext<RefObject<Editor | null> | null>(null)

/** A rich text that lists the placeholders and inserts one where the caret is, else at the end (K-02). */
export function PlaceholderText(props: ArrayOfObjectsInputProps) {
  const editor = useRef<Editor>(null)
  return (
    <EditorOfText value={editor}>
      <Frame>
        {props.renderDefault(props)}
        {props.readOnly !== true && (
          <PlaceholderList path={props.path} onChoose={(name) => insert(editor.current, `{${name}}`)} />
        )}
      </Frame>
    </EditorOfText>
  )
}

/** Part of the same field's components: what is inside the editor. */
export function PlaceholderPlugins(props: PortableTextPluginsProps) {
  return (
    <>
      {props.renderDefault(props)}
      <EditorRefPlugin ref={useContext(EditorOfText)} />
    </>
  )
}

function insert(editor: Editor | null, text: string): void {
  if (!editor) return
  const { context } = editor.getSnapshot()
  const last = context.value.at(-1)
  if (!context.selection && last) {
    const end = getBlockEndPoint({ context, block: { node: last, path: [{ _key: last._key }] } })
    editor.send({ type: 'select', at: { anchor: end, focus: end } })
  }
  editor.send({ type: 'insert.text', text })
  editor.send({ type: 'focus' })
}

import { css, styled } from 'styled-components'
import { buttons } from '../../structure/buttons.styles.ts'

/** Colours come from the Studio's own card, so that dark mode works. */
const field = css`
  width: 100%;
  padding: 8px;
  font: inherit;
  color: var(--card-fg-color);
  background: var(--card-bg-color);
  border: 1px solid var(--card-border-color);
  border-radius: 3px;
`

export const Select = styled.select`
  ${field}
`

export const Typed = styled.input`
  ${field}
`

export const Choices = styled.div`
  display: grid;
  gap: 6px;

  label {
    display: flex;
    gap: 8px;
    align-items: center;
    cursor: pointer;
  }
`

/** A condition in words, under the item that it belongs to. */
export const Words = styled.p`
  margin: 0;
  padding: 0 12px 6px;
  font-size: 13px;
  color: var(--card-muted-fg-color);
`

/** Why a field is locked, and the way to open it. */
export const Locked = styled.p`
  margin: 6px 0 0;
  font-size: 13px;
  color: var(--card-muted-fg-color);
  ${buttons}
`

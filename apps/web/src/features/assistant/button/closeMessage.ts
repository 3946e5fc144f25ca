import { ASSISTANT_CLOSE } from '@rmeet/contract';

interface Frame {
  window: unknown;
  /** The origin of the address that was opened in it. */
  origin: string;
}

/**
 * Whether a message asks to close the drawer: of type `event` with the text `close` (product document, section 1), from
 * the drawer's own frame and from the server whose page was opened there. All others are ignored.
 */
export function isCloseMessage(
  { source, origin, data }: Pick<MessageEvent, 'source' | 'origin' | 'data'>,
  frame: Frame,
) {
  if (frame.window === null || source !== frame.window || origin !== frame.origin) return false;
  if (typeof data !== 'object' || data === null) return false;
  const { type, text } = data as Record<string, unknown>;
  return type === ASSISTANT_CLOSE.type && text === ASSISTANT_CLOSE.text;
}

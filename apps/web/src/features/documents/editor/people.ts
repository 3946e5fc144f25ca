import type { DocumentPerson } from '@rmeet/contract';
import { Extension } from '@tiptap/core';
import { Plugin, PluginKey, type EditorState } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import {
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from '@tiptap/y-tiptap';
import { decodeRelativePosition, encodeRelativePosition, type Doc, type RelativePosition, type XmlFragment } from 'yjs';

/** Both ends of a selection as Yjs relative positions. */
type Positions = { anchor: Uint8Array; head: Uint8Array };

/** The others who have the document open; the connection keeps it. */
export class People {
  #present: readonly DocumentPerson[] = [];
  readonly #readers = new Set<() => void>();
  #send: (positions: Positions | null) => void = () => undefined;

  /** Sends the own cursor by this from now on. */
  sendBy(send: (positions: Positions | null) => void): void {
    this.#send = send;
  }

  /** The own cursor has moved; null: it has gone. */
  move(positions: Positions | null): void {
    this.#send(positions);
  }

  readonly present = (): readonly DocumentPerson[] => this.#present;

  readonly set = (people: readonly DocumentPerson[]): void => {
    if (people.length === 0 && this.#present.length === 0) return;
    this.#present = people;
    for (const read of this.#readers) read();
  };

  readonly subscribe = (read: () => void): (() => void) => {
    this.#readers.add(read);
    return () => void this.#readers.delete(read);
  };
}

const COLORS = 8;

/** The number of a person's colour in editor.css, the same at every place. */
export function colorOf(userId: string): number {
  let sum = 0;
  for (const character of userId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % COLORS;
}

/** What the Yjs plugin of the editor knows. */
interface Binding {
  doc: Doc;
  type: XmlFragment;
  mapping: Parameters<typeof absolutePositionToRelativePosition>[2];
}

/** Undefined until the text is there. */
function bindingOf(state: EditorState): Binding | undefined {
  const found = ySyncPluginKey.getState(state) as
    | (Omit<Binding, 'mapping'> & { binding: Pick<Binding, 'mapping'> | null })
    | undefined;
  return found?.binding && found.binding.mapping.size > 0
    ? { doc: found.doc, type: found.type, mapping: found.binding.mapping }
    : undefined;
}

/** Where a relative position is in the text; null if it is not, or is none. */
function placeOf(state: EditorState, { doc, type, mapping }: Binding, position: string): number | null {
  try {
    const relative = decodeRelativePosition(Uint8Array.from(atob(position), (one) => one.charCodeAt(0)));
    const place = relativePositionToAbsolutePosition(doc, type, relative, mapping);
    return place === null ? null : Math.min(place, state.doc.content.size);
  } catch {
    return null; // written by a client of its own
  }
}

/** The caret; its name is drawn by the style sheet, so that it is not part of the text. */
function caretOf({ name, userId }: DocumentPerson): HTMLElement {
  const caret = document.createElement('span');
  caret.className = `document-caret document-person-${colorOf(userId)}`;
  caret.dataset['name'] = name;
  caret.dataset['testid'] = 'caret';
  caret.setAttribute('aria-hidden', 'true');
  return caret;
}

function drawn(state: EditorState, people: readonly DocumentPerson[]): DecorationSet {
  const binding = bindingOf(state);
  if (!binding) return DecorationSet.empty;
  const all = people.flatMap((person): Decoration[] => {
    if (!person.cursor) return [];
    const [anchor, head] = [placeOf(state, binding, person.cursor.anchor), placeOf(state, binding, person.cursor.head)];
    if (anchor === null || head === null) return [];
    const caret = Decoration.widget(head, () => caretOf(person), {
      key: `${person.key} ${person.name} ${person.cursor.head}`,
      side: 10,
    });
    const selected = { class: `document-selection document-person-${colorOf(person.userId)}` };
    return [caret, Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), selected)];
  });
  return DecorationSet.create(state.doc, all);
}

/** The own selection, if the editor has the focus. */
function positionsOf(view: EditorView): Positions | null {
  const binding = bindingOf(view.state);
  if (!binding || !view.hasFocus() || !view.editable) return null;
  const { anchor, head } = view.state.selection;
  const { type, mapping } = binding;
  const encoded = (place: number): Uint8Array =>
    encodeRelativePosition(absolutePositionToRelativePosition(place, type, mapping) as RelativePosition);
  return { anchor: encoded(anchor), head: encoded(head) };
}

/** Draws a plugin's decorations again. Later: within a change from Yjs, the text of the editor is not the newest. */
export function redraw(view: EditorView, plugin: PluginKey): void {
  queueMicrotask(() => {
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(plugin, true));
  });
}

const key = new PluginKey<DecorationSet>('people');

/** Shows the cursors of others in the text, and them the own one. */
export const Cursors = Extension.create<{ people: People }>({
  name: 'cursors',
  addOptions: () => ({ people: new People() }),
  addProseMirrorPlugins() {
    const { people } = this.options;
    const plugin: Plugin<DecorationSet> = new Plugin({
      key,
      state: {
        init: (_, state) => drawn(state, people.present()),
        apply: (transaction, before, _, state) =>
          transaction.docChanged || transaction.getMeta(key) !== undefined ? drawn(state, people.present()) : before,
      },
      props: {
        decorations: (state) => plugin.getState(state),
        handleDOMEvents: {
          focus: (view) => people.move(positionsOf(view)),
          blur: () => people.move(null),
        },
      },
      view: (view) => {
        const stop = people.subscribe(() => redraw(view, key));
        return { update: (current) => people.move(positionsOf(current)), destroy: stop };
      },
    });
    return [plugin];
  },
});

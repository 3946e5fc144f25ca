import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Call, ShownReaction } from '../../../call/index.ts';
import { reactionSentences } from './model/reactions.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { ReactionImage } from './ReactionImage.tsx';
import './reactions.css';

/** How long reactions are collected before they are announced to screen readers, ms. */
const GATHER = 1_500;
/** Pixels between an image and the edges of the tile that it floats over. */
const INSET = 14;
/** Reactions of one person are shown side by side, in this many columns. */
const COLUMNS = 3;
/** Pixels from one column to the next. */
const COLUMN_WIDTH = 34;

/** Reactions floating over the tiles of their senders; those of people who have no tile on this page, in the corner. */
export function ReactionsOverlay({ call }: { call: Call }) {
  const reactions = useStorePart(call.store, (state) => state.reactions);
  const [corner, setCorner] = useState<HTMLElement | null>(null);
  return (
    <>
      <div ref={setCorner} className="reactions" aria-hidden="true" />
      {corner && reactions.map((reaction) => <Floating key={reaction.id} corner={corner} reaction={reaction} />)}
      <Announcement reactions={reactions} />
    </>
  );
}

/** One image. It is inside the tile and moves with it: tiles change their places when a person joins or speaks. */
function Floating({
  corner,
  reaction: { id, termId, name, reaction },
}: {
  corner: HTMLElement;
  reaction: ShownReaction;
}) {
  const [place] = useState(() => tileOf(corner, termId) ?? corner);
  return createPortal(
    <div
      className="reaction"
      style={{ right: INSET + (id % COLUMNS) * COLUMN_WIDTH, bottom: INSET }}
      aria-hidden="true"
      data-testid={`reaction-${termId}`}
      data-reaction={reaction}
    >
      <ReactionImage reaction={reaction} size={40} />
      <span className="reaction-name">{name}</span>
    </div>,
    place,
  );
}

/** The sender's tile, if it is on this page of the stage. */
function tileOf(corner: HTMLElement, termId: string): Element | null {
  return corner.parentElement?.querySelector(`[data-key="${CSS.escape(termId)}"]:not([aria-hidden])`) ?? null;
}

/** What screen readers hear: bursts are one sentence. */
function Announcement({ reactions }: { reactions: readonly ShownReaction[] }) {
  const t = useT();
  const [text, setText] = useState('');
  const announced = useRef(0);
  const announce = useEffectEvent(() => {
    const fresh = reactions.filter(({ id }) => id > announced.current);
    announced.current = reactions.at(-1)?.id ?? announced.current;
    setText(reactionSentences(fresh, t));
  });
  const last = reactions.at(-1)?.id ?? 0;
  const isGathering = useRef(false);
  const gather = useEffectEvent(() => {
    if (isGathering.current || last <= announced.current) return;
    isGathering.current = true;
    setTimeout(() => {
      isGathering.current = false;
      announce();
    }, GATHER);
  });
  useEffect(() => {
    if (last > 0) gather();
  }, [last]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="reactions-told">
      {text}
    </div>
  );
}

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type CSSProperties } from 'react';
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

/** Reactions floating over the tiles of their senders; those of people who have no tile on this page, in the corner. */
export function ReactionsOverlay({ call }: { call: Call }) {
  const reactions = useStorePart(call.store, (state) => state.reactions);
  return (
    <>
      <div className="reactions" aria-hidden="true">
        {reactions.map((reaction) => (
          <Floating key={reaction.id} reaction={reaction} />
        ))}
      </div>
      <Announcement reactions={reactions} />
    </>
  );
}

function Floating({ reaction: { id, termId, name, reaction } }: { reaction: ShownReaction }) {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties | null>(null);
  useLayoutEffect(() => {
    const stage = element.current?.parentElement;
    if (!stage) return;
    setPlace(placeOver(stage, termId, id));
  }, [termId, id]);
  return (
    <div
      ref={element}
      className="reaction"
      style={place ?? undefined}
      data-testid={`reaction-${termId}`}
      data-reaction={reaction}
    >
      <ReactionImage reaction={reaction} size={40} />
      <span className="reaction-name">{name}</span>
    </div>
  );
}

/** Where an image starts: above the name at the lower edge of the sender's tile, else in the corner of the stage. */
function placeOver(stage: HTMLElement, termId: string, id: number): CSSProperties {
  const area = stage.getBoundingClientRect();
  const tile = stage.parentElement?.querySelector(`[data-key="${CSS.escape(termId)}"]`)?.getBoundingClientRect();
  const { right, bottom } = tile ?? area;
  const column = (id % COLUMNS) * 34;
  return { right: area.right - right + INSET + column, bottom: area.bottom - bottom + INSET };
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

import type { RecordingDetail, RecordingTimeline } from '@rmeet/contract';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useChapterWords } from '../player/chapters.ts';
import type { Player } from '../player/player.ts';
import { useT } from '../texts.ts';
import { People } from './People.tsx';
import { Files } from './Files.tsx';
import { TimedList, type TimedItem } from './TimedList.tsx';
import { useMissingItems } from './useMissingItems.tsx';

const TABS = ['chapters', 'chat', 'captions', 'people', 'files'] as const;
type Tab = (typeof TABS)[number];

interface SideProps {
  player: Player;
  timeline: RecordingTimeline;
  files: RecordingDetail['files'];
}

/** Beside the player: chapters, chat, captions, who was there, files. */
export function Side({ player, timeline, files }: SideProps) {
  const t = useT();
  const id = useId();
  const [tab, setTab] = useState<Tab>('chapters');
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? tab;
    setTab(next);
    row.current?.querySelector<HTMLElement>(`[data-testid="side-${next}"]`)?.focus();
  };
  return (
    <aside className="side" aria-label={t('side.label')}>
      <div ref={row} className="side-tabs" role="tablist" aria-label={t('side.label')} onKeyDown={move}>
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            aria-selected={one === tab}
            aria-controls={`${id}-panel`}
            tabIndex={one === tab ? 0 : -1}
            data-testid={`side-${one}`}
            onClick={() => setTab(one)}
          >
            {t(`side.${one}`)}
          </button>
        ))}
      </div>
      <div className="side-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} tabIndex={0}>
        <Panel tab={tab} player={player} timeline={timeline} files={files} />
      </div>
    </aside>
  );
}

function Panel({ tab, player, timeline, files }: SideProps & { tab: Tab }) {
  const t = useT();
  const chapterItems = useChapterItems(timeline);
  const listed = (items: readonly TimedItem[]): ReactNode =>
    items.length === 0 ? (
      <p className="side-empty">{t(`sideEmpty.${tab}`)}</p>
    ) : (
      <TimedList label={t(`side.${tab}`)} player={player} items={items} testId={tab} />
    );
  if (tab === 'chapters') return listed(chapterItems);
  if (tab === 'chat')
    return listed(
      timeline.chat.map(({ id, at, name, text }) => ({
        key: id,
        at,
        content: (
          <>
            <b>{name}</b>
            {text}
          </>
        ),
      })),
    );
  if (tab === 'captions')
    return listed(timeline.captions.map(({ from, text }) => ({ key: `${from} ${text}`, at: from, content: text })));
  return tab === 'people' ? <People player={player} attendance={timeline.attendance} /> : <Files files={files} />;
}

/** Chapters, with the results of votes; between them raised hands, and what is missing. */
function useChapterItems({ chapters, votes, hands, gaps, cards }: RecordingTimeline): TimedItem[] {
  const t = useT();
  const words = useChapterWords();
  const missing = useMissingItems({ gaps, cards });
  const handItems = hands.map(({ at, name }): TimedItem => ({
    key: `${at} hand ${name}`,
    at,
    content: (
      <span className="chapter" data-kind="hand">
        {t('hand', { name })}
      </span>
    ),
  }));
  const chapterItems = chapters.map((chapter): TimedItem => {
    const { at, kind, text } = chapter;
    const vote = kind === 'vote' ? votes.find((one) => one.at === at) : undefined;
    return {
      key: `${at} ${kind} ${text}`,
      at,
      content: (
        <span className="chapter" data-kind={kind}>
          {words(chapter)}
          {vote && <small>{vote.options.map(({ text: option, count }) => `${option} ${count}`).join(' · ')}</small>}
        </span>
      ),
    };
  });
  return [...chapterItems, ...handItems, ...missing].toSorted((a, b) => a.at - b.at);
}

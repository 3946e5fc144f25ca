import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useT } from '../texts.ts';
import { Composer } from './Composer.tsx';
import { Messages } from './Messages.tsx';
import { Moderated } from './Moderated.tsx';
import type { Watched, Watching } from './watching.ts';

interface SideProps {
  id: string;
  watching: Watching;
  now: Watched;
  /** The viewer looks after the chat. */
  manages: boolean;
}

const TABS = ['chat', 'question'] as const;
type Tab = (typeof TABS)[number];

/** Beside the picture, on phones below it: the announcement, the chat and questions. */
export function Side({ id, watching, now, manages }: SideProps) {
  const t = useT();
  const ids = useId();
  const row = useRef<HTMLDivElement>(null);
  const { setting } = now.broadcast;
  const tabs = TABS.filter((one) => manages || (one === 'chat' ? setting.chat !== 'off' : setting.questions));
  const [chosen, setChosen] = useState<Tab>('chat');
  const tab = tabs.includes(chosen) ? chosen : (tabs[0] ?? 'chat');
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? tab;
    setChosen(next);
    row.current?.querySelector<HTMLElement>(`[data-testid="watch-tab-${next}"]`)?.focus();
  };
  return (
    <aside className="watch-side" aria-label={t('side.label')}>
      {setting.announcement !== '' && (
        <div className="watch-announcement" data-testid="watch-announcement">
          <b>{t('side.announcement')}</b>
          {/* Long ones scroll. */}
          <p tabIndex={0}>{setting.announcement}</p>
        </div>
      )}
      {tabs.length > 0 && (
        <>
          <div ref={row} className="watch-tabs" role="tablist" aria-label={t('side.label')} onKeyDown={move}>
            {tabs.map((one) => (
              <button
                key={one}
                type="button"
                role="tab"
                id={`${ids}-${one}`}
                aria-selected={one === tab}
                aria-controls={`${ids}-panel`}
                tabIndex={one === tab ? 0 : -1}
                data-testid={`watch-tab-${one}`}
                onClick={() => setChosen(one)}
              >
                {t(`side.${one}`)}
              </button>
            ))}
          </div>
          <div className="watch-panel" role="tabpanel" id={`${ids}-panel`} aria-labelledby={`${ids}-${tab}`}>
            {manages ? (
              <Moderated key={tab} id={id} kind={tab} version={now.version} own={now.own} />
            ) : (
              <Messages key={tab} kind={tab} messages={now.messages.filter(({ kind }) => kind === tab)} own={now.own} />
            )}
            <Composer key={`${tab}-text`} kind={tab} watching={watching} now={now} manages={manages} />
          </div>
        </>
      )}
    </aside>
  );
}

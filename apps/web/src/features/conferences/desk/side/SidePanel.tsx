import { lazy, Suspense, useRef, type KeyboardEvent } from 'react';
import { loadChunk } from '../../../../lib/chunks.ts';
import { Loading } from '../../../../ui/states.tsx';
import { useDesk, useDeskPart, useView, type SideTab } from '../context.ts';
import { absentees } from '../model/absent.ts';
import { useT } from '../texts.tsx';
import { Absent } from './Absent.tsx';
import { CommandLog } from './CommandLog.tsx';
import { QualityProblems } from './QualityProblems.tsx';
import { Waiting } from './Waiting.tsx';

const Proceedings = lazy(() =>
  loadChunk(async () => ({ default: (await import('../proceedings/Proceedings.tsx')).Proceedings })),
);

const TABS: readonly SideTab[] = ['waiting', 'proceed', 'absent', 'quality', 'log'];
const BODIES = {
  waiting: Waiting,
  proceed: Proceedings,
  absent: Absent,
  quality: QualityProblems,
  log: CommandLog,
} as const;

/** Waiting people, absentees, media problems and the command log. */
export function SidePanel() {
  const t = useT();
  const desk = useDesk();
  const tab = useView((view) => view.tab);
  const waiting = useDeskPart(({ state }) => state.waiting.length);
  const absent = useDeskPart(({ state }) => absentees(state).length);
  const troubles = useDeskPart(({ rows }) => rows.filter(({ cause }) => cause !== null).length);
  const hands = useDeskPart(({ state }) => state.terminals.filter(({ handRaisedAt }) => handRaisedAt !== null).length);
  const list = useRef<HTMLDivElement>(null);
  const counts: Record<SideTab, number> = { waiting, proceed: hands, absent, quality: troubles, log: 0 };
  const Body = BODIES[tab];
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab;
    desk.view.set({ tab: next });
    list.current?.querySelector<HTMLElement>(`#desk-tab-${next}`)?.focus();
  };
  return (
    <section className="desk-side-panel">
      <div ref={list} className="desk-tabs" role="tablist" aria-label={t('side.title')} onKeyDown={keys}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`desk-tab-${each}`}
            aria-selected={tab === each}
            aria-controls="desk-tab-body"
            tabIndex={tab === each ? 0 : -1}
            data-testid={`desk-tab-${each}`}
            onClick={() => desk.view.set({ tab: each })}
          >
            {t(`side.${each}`)}
            {counts[each] > 0 && (
              <span className={each === 'waiting' ? 'desk-count' : 'desk-count desk-count-quiet'}>{counts[each]}</span>
            )}
          </button>
        ))}
      </div>
      <div
        id="desk-tab-body"
        className="desk-tab-body"
        role="tabpanel"
        aria-labelledby={`desk-tab-${tab}`}
        tabIndex={0}
      >
        <Suspense fallback={<Loading />}>
          <Body />
        </Suspense>
      </div>
    </section>
  );
}

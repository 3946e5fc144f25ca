import { lazy, Suspense, useRef, type KeyboardEvent, type ReactNode } from 'react';
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

const TABS: readonly SideTab[] = ['list', 'waiting', 'proceed', 'absent', 'quality', 'log'];
const BODIES = {
  waiting: Waiting,
  proceed: Proceedings,
  absent: Absent,
  quality: QualityProblems,
  log: CommandLog,
} as const;

function Body({ tab }: { tab: keyof typeof BODIES }) {
  const Part = BODIES[tab];
  return <Part />;
}

/** Waiting people, absentees, media problems and the command log. `list`: the terminals, if they are a tab. */
export function SidePanel({ list = null }: { list?: ReactNode }) {
  const t = useT();
  const desk = useDesk();
  const chosen = useView((view) => view.tab);
  const tabs = TABS.filter((each) => each !== 'list' || list !== null);
  const tab = chosen === 'list' && list === null ? 'waiting' : chosen;
  const waiting = useDeskPart(({ state }) => state.waiting.length);
  const absent = useDeskPart(({ state }) => absentees(state).length);
  const troubles = useDeskPart(({ rows }) => rows.filter(({ cause }) => cause !== null).length);
  const hands = useDeskPart(({ state }) => state.terminals.filter(({ handRaisedAt }) => handRaisedAt !== null).length);
  const strip = useRef<HTMLDivElement>(null);
  const inside = useDeskPart(({ rows }) => rows.length);
  const counts: Record<SideTab, number> = { list: inside, waiting, proceed: hands, absent, quality: troubles, log: 0 };
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab;
    desk.view.set({ tab: next });
    strip.current?.querySelector<HTMLElement>(`#desk-tab-${next}`)?.focus();
  };
  return (
    <section className="desk-side-panel">
      <div ref={strip} className="desk-tabs" role="tablist" aria-label={t('side.title')} onKeyDown={keys}>
        {tabs.map((each) => (
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
        <Suspense fallback={<Loading />}>{tab === 'list' ? list : <Body tab={tab} />}</Suspense>
      </div>
    </section>
  );
}

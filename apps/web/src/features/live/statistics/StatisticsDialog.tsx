import { broadcasts, pathOf, type Broadcast, type Data } from '@rmeet/contract';
import { useState } from 'react';
import { reportError } from '../../../lib/api/index.ts';
import { download } from '../../../lib/download.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useStatistics } from '../queries.ts';
import { useT } from '../texts.ts';
import { barsOf, MINUTE } from './bars.ts';
import '../list/dialog.css';
import './statistics.css';

type Statistics = Data<typeof broadcasts.statistics>;

/** How many watched a broadcast, when, and the list of them as a file. */
export function StatisticsDialog({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const t = useT();
  const { id, subject, state } = broadcast;
  const statistics = useStatistics(id, state === 'onAir' || state === 'paused');
  return (
    <div className="live-dialog">
      <Dialog title={t('statistics.title')} testId="live-statistics" onClose={onClose}>
        <p className="live-dialog-subject">{subject}</p>
        {statistics.data ? (
          <>
            <Figures statistics={statistics.data} />
            <OverTime overTime={statistics.data.overTime} />
          </>
        ) : statistics.isPending ? (
          <Loading />
        ) : (
          <ErrorState retry={() => void statistics.refetch()} />
        )}
        <Buttons id={id} onClose={onClose} />
      </Dialog>
    </div>
  );
}

function Figures({ statistics: { viewers, peak, watched, likes, messages } }: { statistics: Statistics }) {
  const t = useT();
  const minutes = Math.round(watched / MINUTE);
  const figures = { viewers, peak, minutes, messages, likes };
  return (
    <dl className="live-figures">
      {(Object.keys(figures) as (keyof typeof figures)[]).map((name) => (
        <div key={name} data-testid={`figure-${name}`}>
          <dt>{t(`statistics.${name}`)}</dt>
          <dd>{figures[name].toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Viewers over time, as bars; screen readers get the highest one with its time. */
function OverTime({ overTime }: Pick<Statistics, 'overTime'>) {
  const t = useT();
  const bars = barsOf(overTime);
  const highest = bars.reduce<(typeof bars)[number] | undefined>(
    (most, bar) => (most && most.viewers >= bar.viewers ? most : bar),
    undefined,
  );
  if (!highest) return <p data-testid="statistics-none">{t('statistics.none')}</p>;
  const words = t('statistics.overTimeLabel', { count: highest.viewers, time: formatTime(highest.at) });
  return (
    <figure className="live-over-time" aria-label={words} data-testid="statistics-over-time">
      <div aria-hidden="true">
        {bars.map(({ at, viewers }) => (
          <span
            key={at}
            title={`${formatTime(at)} · ${viewers}`}
            style={{ height: `${Math.max(2, (viewers / Math.max(1, highest.viewers)) * 100)}%` }}
          />
        ))}
      </div>
      <figcaption aria-hidden="true">
        <span>{formatTime(bars[0]!.at)}</span>
        <span>{formatTime(bars.at(-1)!.at)}</span>
      </figcaption>
    </figure>
  );
}

function Buttons({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await download(pathOf(broadcasts.exportViewers, { params: { id } }));
    } catch (error) {
      reportError(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className="live-dialog-buttons">
      <Button busy={isSaving} data-testid="statistics-export" onClick={() => void save()}>
        {t('statistics.export')}
      </Button>
      <Button kind="primary" data-focus onClick={onClose}>
        {t('statistics.close')}
      </Button>
    </div>
  );
}

import type { HeldRecord } from '@rmeet/contract';
import dayjs from 'dayjs';
import { useTexts } from '../../lib/i18n/index.ts';
import { useMediaQuery } from '../../lib/useMediaQuery.ts';
import { timelineOf } from './timeline.ts';

/** Labels at the ends of the axis stay inside it. */
const markClass = (left: number): string =>
  left > 92 ? 'timeline-mark timeline-mark-end' : left < 4 ? 'timeline-mark timeline-mark-start' : 'timeline-mark';

/** Attendance as bars on the time axis of the meeting. The table gives the same information to screen readers. */
export function Timeline({ record, now }: { record: HeldRecord; now: number }) {
  const t = useTexts('history');
  const isNarrow = useMediaQuery('(max-width: 720px)');
  const { rows, axis } = timelineOf(record, now, isNarrow ? 3 : 8);
  if (rows.length === 0) return null;
  return (
    <section className="history-section" aria-hidden="true" data-testid="history-timeline">
      <h2>{t('record.timeline')}</h2>
      <p className="history-hint">{t('record.timelineHint')}</p>
      <div className="timeline">
        <div className="timeline-row timeline-axis">
          <span />
          <span className="timeline-track">
            {axis.map(({ at, left }) => (
              <span key={at} className={markClass(left)} style={{ left: `${left}%` }}>
                {dayjs(at).format('HH:mm')}
              </span>
            ))}
          </span>
        </div>
        {rows.map(({ id, name, bars }) => (
          <div key={id} className="timeline-row" data-testid="timeline-row">
            <span className="timeline-name" title={name}>
              {name}
            </span>
            <span className="timeline-track">
              {axis.map(({ at, left }) => (
                <span key={at} className="timeline-line" style={{ left: `${left}%` }} />
              ))}
              {bars.map(({ key, left, width }) => (
                <span key={key} className="timeline-bar" style={{ left: `${left}%`, width: `${width}%` }} />
              ))}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

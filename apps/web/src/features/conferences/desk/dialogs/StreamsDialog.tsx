import type { MediaStream, TerminalReport } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../../../ui/states.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { diagnose } from '../model/diagnose.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Quality } from '../components/Quality.tsx';
import { DiagnosisNotice } from '../components/DiagnosisNotice.tsx';
import { useNames } from '../side/useNames.ts';
import { useT } from '../texts.tsx';
import { bitrateText } from '../describe.ts';

/** What a terminal sends and receives, as measured at both ends, and remedies for problems. */
export function StreamsDialog({ termId, onClose }: { termId: string; onClose: () => void }) {
  const t = useT();
  const desk = useDesk();
  const row = useDeskPart(({ rows }) => rows.find((each) => each.termId === termId) ?? null);
  const pushed = useDeskPart(({ reports }) => reports.get(termId) ?? null);
  // A newly opened desk has not received any reports yet.
  const asked = useQuery({
    queryKey: ['desk-streams', desk.meetId, termId],
    queryFn: () => desk.api.readMediaStreamInfo({ params: { res: 'rz' }, query: { meetId: desk.meetId, termId } }),
    enabled: pushed === null,
    refetchInterval: 2_000,
    meta: { quiet: true },
  });
  const report = pushed ?? asked.data ?? null;
  const name = row?.name ?? '';
  const diagnosis = report === null ? null : diagnose(report);
  return (
    <Dialog wide title={t('streams.title', { name })} testId="desk-streams" onClose={onClose}>
      {row === null && (
        <p className="desk-nothing" role="status">
          {t('streams.gone')}
        </p>
      )}
      {row !== null &&
        report === null &&
        (asked.isPending ? (
          <Loading />
        ) : (
          <p className="desk-nothing" role="status">
            {t('streams.none')}
          </p>
        ))}
      {report !== null && (
        <>
          <Summary report={report} />
          {row !== null &&
            (diagnosis === null ? (
              <p className="desk-fine">{t('streams.fine')}</p>
            ) : (
              <DiagnosisNotice row={row} diagnosis={diagnosis} onDone={onClose} />
            ))}
          <Streams streams={report.streams} />
        </>
      )}
    </Dialog>
  );
}

function Summary({ report }: { report: TerminalReport }) {
  const t = useT();
  return (
    <dl className="desk-facts">
      <div>
        <dt>{t('streams.quality')}</dt>
        <dd>
          <Quality quality={report.quality} loss={null} /> {t(`quality.${report.quality}`)}
        </dd>
      </div>
      <div>
        <dt>{t('streams.estimateUp')}</dt>
        <dd>{bitrateText(report.estimateUp)}</dd>
      </div>
      <div>
        <dt>{t('streams.estimateDown')}</dt>
        <dd>{bitrateText(report.estimateDown)}</dd>
      </div>
      <div>
        <dt>{t('streams.roundTrip')}</dt>
        <dd>{milliseconds(report.roundTrip)}</dd>
      </div>
      <div>
        <dt>{t('streams.limitedBy')}</dt>
        <dd>{t(`limited.${report.limitedBy}`)}</dd>
      </div>
    </dl>
  );
}

const COLUMNS = [
  'direction',
  'source',
  'end',
  'codec',
  'size',
  'frames',
  'bitrate',
  'loss',
  'jitter',
  'roundTrip',
  'layers',
] as const;

function Streams({ streams }: { streams: readonly MediaStream[] }) {
  const t = useT();
  const nameOf = useNames();
  const sorted = streams.toSorted(
    (a, b) =>
      b.direction.localeCompare(a.direction) ||
      a.source.localeCompare(b.source) ||
      (a.peer ?? '').localeCompare(b.peer ?? ''),
  );
  if (sorted.length === 0) return <p className="desk-nothing">{t('streams.noStreams')}</p>;
  return (
    <div className="desk-table-scroll" tabIndex={0} role="region" aria-label={t('streams.table')}>
      <table className="desk-table">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`streams.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {named(sorted).map(({ key, stream }) => (
            <tr key={key}>
              <td>{t(`streams.${stream.direction}`)}</td>
              <td>
                {t(`streams.source.${stream.source}`)}
                {stream.peer !== null && <small>{nameOf(stream.peer) ?? t('log.somebody')}</small>}
              </td>
              <td>{t(`streams.end.${stream.end}`)}</td>
              <td>{stream.codec ?? '–'}</td>
              <td>{stream.width === null || stream.height === null ? '–' : `${stream.width}×${stream.height}`}</td>
              <td>{stream.frames === null ? '–' : Math.round(stream.frames)}</td>
              <td>{bitrateText(stream.bitrate)}</td>
              <td className={(stream.loss ?? 0) >= 3 ? 'desk-bad' : ''}>
                {stream.loss === null ? '–' : `${stream.loss.toFixed(1)} %`}
              </td>
              <td>{milliseconds(stream.jitter)}</td>
              <td>{milliseconds(stream.roundTrip)}</td>
              <td>
                {stream.layers.length === 0
                  ? '–'
                  : stream.layers.map((layer) => <LayerTag key={layer.rid} layer={layer} />)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Streams have no name; several of one kind are numbered. */
function named(streams: readonly MediaStream[]): { key: string; stream: MediaStream }[] {
  const count = new Map<string, number>();
  return streams.map((stream) => {
    const kind = `${stream.direction} ${stream.source} ${stream.peer ?? ''} ${stream.end}`;
    const nth = (count.get(kind) ?? 0) + 1;
    count.set(kind, nth);
    return { key: `${kind} ${nth}`, stream };
  });
}

function LayerTag({ layer: { height, bitrate, active } }: { layer: MediaStream['layers'][number] }) {
  const t = useT();
  return (
    <span className={active ? 'desk-layer' : 'desk-layer desk-layer-off'}>
      {t(active ? 'streams.layer' : 'streams.layerOff', { height, bitrate: bitrateText(bitrate) })}
    </span>
  );
}

const milliseconds = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`);

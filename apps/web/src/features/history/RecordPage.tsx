import { history, pathOf, type HeldRecord } from '@rmeet/contract';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatTime } from '../../lib/time.ts';
import { ExportButton } from '../../ui/admin/ExportButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { MeetingDocuments } from '../../ui/meetingDocuments/MeetingDocuments.tsx';
import { MeetingFilesButton } from '../../ui/meetingFiles/MeetingFilesButton.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { AttendanceTable } from './AttendanceTable.tsx';
import { ChatSection } from './ChatSection.tsx';
import { HISTORY_PATH } from './paths.ts';
import { RecordingLinks } from './RecordingLinks.tsx';
import { useRecord } from './queries.ts';
import { Timeline } from './Timeline.tsx';
import { durationWords, heldWords, numberWords } from './words.ts';
import './texts.ts';
import './history.css';

/** One past meeting: who attended when, and with what quality. Updates itself while the meeting runs. */
export function RecordPage() {
  const t = useTexts('history');
  const { id = '' } = useParams();
  const { data: record, error, isPending, dataUpdatedAt, refetch } = useRecord(id);
  const title = record?.subject ?? t('record.title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const isGone = error !== null && 'code' in error && (error.code === 'NOT_FOUND' || error.code === 'INVALID_INPUT');

  const content = () => {
    if (isGone) return <EmptyState picture="list" title={t('record.gone')} hint={t('record.goneHint')} />;
    if (record) return <Record record={record} now={dataUpdatedAt} />;
    return isPending ? <Loading /> : <ErrorState retry={() => void refetch()} />;
  };
  return (
    <div className="record-page">
      <Link className="record-back" to={HISTORY_PATH} data-testid="record-back">
        {t('record.back')}
      </Link>
      <header className="record-header">
        <h1>{title}</h1>
        {record?.endedAt === null && <span className="record-running">{t('running')}</span>}
        {record && <MeetingFilesButton meetId={record.meetId} label={t('record.files')} />}
        {record && (
          <span className="record-tools">
            <ExportButton path={pathOf(history.export, { params: { id } })} testId="record-export" />
            <Button data-testid="record-print" onClick={() => window.print()}>
              <Icon name="print" />
              {t('record.print')}
            </Button>
          </span>
        )}
      </header>
      {content()}
    </div>
  );
}

function Record({ record, now }: { record: HeldRecord; now: number }) {
  const t = useTexts('history');
  const facts: [string, string][] = [
    [t('record.held'), heldWords(record, t)],
    [t('column.duration'), durationWords(record.duration, t)],
    [t('column.people'), String(record.people)],
    [t('column.peak'), t('terminalCount', { count: record.peakTerminals })],
    [t('column.host'), record.host.name],
    [t('column.number'), numberWords(record.numericId)],
    [t('column.type'), t(`type.${record.type}`)],
    [
      t('record.booked'),
      t('record.bookedFor', {
        time: formatTime(record.bookedStart),
        duration: durationWords(record.bookedMinutes * 60, t),
      }),
    ],
    [t('column.end'), record.endReason === null ? t('running') : t(`end.${record.endReason}`)],
  ];
  return (
    <>
      {record.endedAt === null && <p className="record-notice">{t('record.updates')}</p>}
      <dl className="record-facts" data-testid="record-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!record.seesAll && (
        <p className="record-notice" data-testid="record-private">
          {t('record.private')}
        </p>
      )}
      <RecordingLinks recordings={record.recordings} />
      <MeetingDocuments meetId={record.meetId} subject={record.subject} mayCreate={record.seesAll} headingLevel={2} />
      {record.attendance.length === 0 ? (
        <EmptyState picture="list" title={t('record.nobody')} hint={t('record.nobodyHint')} />
      ) : (
        <>
          <Timeline record={record} now={now} />
          <section className="history-section">
            <h2>{t('record.attendance')}</h2>
            <AttendanceTable record={record} />
          </section>
        </>
      )}
      <ChatSection id={record.id} isRunning={record.endedAt === null} />
    </>
  );
}

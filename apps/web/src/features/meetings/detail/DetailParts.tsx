import { EMPTY_CONTACT, meetingFiles, pathOf, type Meeting, type MeetingFile, type Participant } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../../lib/download.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { offsetName, ownZone } from '../../../lib/rooms/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { isEntered, isOutsideStream } from '../booking/draft.ts';
import { DetailEntry } from './DetailEntry.tsx';
import { elsewhereTime, formatDuration, formatNumber, formatTime, templateName } from '../format.ts';
import { useSeriesWords } from '../series/useSeriesWords.ts';
import { DetailResource } from '../resources/DetailResource.tsx';

/** Time, type and entry rules. */
export function DetailFacts({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const series = useSeriesWords(meeting);
  const { type, host, startTime, duration, timeZone, numericId, password, template } = meeting;
  const elsewhere = elsewhereTime(startTime, timeZone);
  const rules = (['waitingRoom', 'joinBeforeHost', 'muteOnEntry'] as const)
    .filter((rule) => meeting[rule])
    .map((rule) => t(`entry.${rule}`));
  return (
    <dl>
      <DetailEntry name={t('detail.time')}>
        {`${formatTime(startTime)} · ${formatDuration(duration)}`}
        {elsewhere !== null && <small className="meeting-elsewhere">{elsewhere}</small>}
      </DetailEntry>
      {timeZone !== ownZone() && (
        <DetailEntry
          name={t('zone.title')}
        >{`${timeZone} · ${offsetName(Date.parse(startTime), timeZone)}`}</DetailEntry>
      )}
      {series !== null && <DetailEntry name={t('repeat.title')}>{series}</DetailEntry>}
      <DetailEntry name={t('column.type')}>{t(isOutsideStream(meeting) ? 'live.outside' : `type.${type}`)}</DetailEntry>
      <DetailEntry name={t('detail.host')}>{host.name}</DetailEntry>
      {isEntered(meeting) && (
        <>
          <DetailEntry name={t('detail.number')}>{formatNumber(numericId)}</DetailEntry>
          <DetailEntry name={t('detail.password')}>{password || EMPTY_CONTACT}</DetailEntry>
          <DetailEntry name={t('entry.template')}>{templateName(template, language)}</DetailEntry>
          <DetailEntry name={t('detail.rules')}>
            {rules.length === 0 ? t('detail.noRules') : rules.join(' · ')}
          </DetailEntry>
          {meeting.autoRecord && <DetailEntry name={t('record.auto')}>{t('record.autoOn')}</DetailEntry>}
          {meeting.e2ee && <DetailEntry name={t('encryption.title')}>{t('encryption.on')}</DetailEntry>}
        </>
      )}
      {isEntered(meeting) && <DetailResource meeting={meeting} />}
    </dl>
  );
}

/** Room terminals that are called into the meeting. */
export function DetailTerminals({ meeting: { terminals } }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  return (
    <>
      <h3>{t('terminals.title')}</h3>
      <ul className="meeting-room-list" data-testid="detail-terminals">
        {terminals.map(({ id, name, address, kind }) => (
          <li key={id}>
            <span className="meeting-room-name">
              {name}
              <small>{`${t(`terminals.kind.${kind}`)} · ${address}`}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Participants called by telephone. */
export function DetailPhones({ parties }: { parties: readonly Extract<Participant, { kind: 'phone' }>[] }) {
  const t = useTexts('meetings');
  return (
    <>
      <h3>{t('phones.title')}</h3>
      <ul className="meeting-people" data-testid="detail-phones">
        {parties.map(({ name, phone }) => (
          <li key={phone}>{name === '' ? phone : `${name} ${phone}`}</li>
        ))}
      </ul>
    </>
  );
}

/** Files attached to the meeting. */
export function DetailFiles({ meeting: { files } }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  return (
    <>
      <h3>{t('files.title')}</h3>
      <ul className="meeting-room-list" data-testid="detail-files">
        {files.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </ul>
    </>
  );
}

function FileRow({ file: { id, name, size } }: { file: MeetingFile }) {
  const t = useTexts('meetings');
  const fetching = useMutation({
    mutationFn: () => download(pathOf(meetingFiles.download, { params: { id } })),
  });
  return (
    <li>
      <span className="meeting-room-name">
        {name}
        <small>{sizeWords(size)}</small>
      </span>
      <Button
        busy={fetching.isPending}
        aria-label={t('files.downloadOf', { name })}
        data-testid="file-download"
        onClick={() => fetching.mutate()}
      >
        <Icon name="download" />
        {t('files.download')}
      </Button>
    </li>
  );
}

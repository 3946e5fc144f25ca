import type { Attendance, HeldRecord, StayQuality } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { clockWords, durationWords, measuredWords, personWords, qualityWords, stayWords } from './words.ts';

/**
 * Everyone who attended: when, for how long, on which device, and with what quality. On a phone each person is a
 * separate block.
 */
export function AttendanceTable({ record }: { record: HeldRecord }) {
  const t = useTexts('history');
  return (
    <table className="attendance">
      <caption className="visually-hidden">{t('record.attendance')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('person.name')}</th>
          <th scope="col">{t('person.role')}</th>
          <th scope="col">{t('person.firstJoin')}</th>
          <th scope="col">{t('person.lastLeave')}</th>
          <th scope="col">{t('person.total')}</th>
          <th scope="col">{t('person.quality')}</th>
          <th scope="col">{t('person.stays')}</th>
        </tr>
      </thead>
      <tbody>
        {record.attendance.map((person) => (
          <PersonRow key={person.id} person={person} record={record} />
        ))}
      </tbody>
    </table>
  );
}

function PersonRow({ person, record: { startedAt, seesAll } }: { person: Attendance; record: HeldRecord }) {
  const t = useTexts('history');
  const isSeen = seesAll || person.isMe;
  const lasts = person.stays.some(({ leftAt }) => leftAt === null);
  const lastLeave = lasts ? t('person.inside') : person.lastLeave && clockWords(person.lastLeave, startedAt);
  const cell = (label: string, content: string | null) => (
    <td data-label={label} className={content ? undefined : 'attendance-none'}>
      {content ?? '--'}
    </td>
  );
  return (
    <tr data-testid="attendance-row">
      <th scope="row">
        <span className="attendance-name">{personWords(person, t)}</span>
        {person.waitedOnly && <span className="attendance-waited">{t('person.waitedOnly')}</span>}
      </th>
      <td data-label={t('person.role')}>{t(`role.${person.role}`)}</td>
      {cell(t('person.firstJoin'), person.firstJoin && clockWords(person.firstJoin, startedAt))}
      {cell(t('person.lastLeave'), lastLeave)}
      {cell(t('person.total'), person.total === null ? null : durationWords(person.total, t))}
      <td data-label={t('person.quality')} className={person.quality ? undefined : 'attendance-none'}>
        {person.quality ? (
          <Quality quality={person.quality} />
        ) : isSeen && !person.waitedOnly ? (
          t('quality.none')
        ) : (
          '--'
        )}
      </td>
      <td data-label={t('person.stays')} className={person.stays.length > 0 ? undefined : 'attendance-none'}>
        {person.stays.length === 0 ? (
          '--'
        ) : (
          <ul className="attendance-stays">
            {person.stays.map((stay) => (
              <li key={`${stay.termId} ${stay.joinedAt}`}>{stayWords(stay, startedAt, t)}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}

/** The quality score as text and colour, and the values it is computed from. */
function Quality({ quality }: { quality: StayQuality }) {
  const t = useTexts('history');
  const averages = qualityWords(quality, t);
  return (
    <span className="quality" title={measuredWords(quality, t)}>
      <span className={`quality-score quality-${quality.score}`}>{t(`quality.${quality.score}`)}</span>
      {averages !== '' && <small>{averages}</small>}
    </span>
  );
}

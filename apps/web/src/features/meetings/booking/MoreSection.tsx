import { useTexts } from '../../../lib/i18n/index.ts';
import { ownZone } from '../../../lib/rooms/index.ts';
import { useProfile } from '../../../lib/profile.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import type { FieldsProps } from './fields.ts';
import { Section } from './Section.tsx';
import { movedStart } from '../../../ui/StartFields.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

/** The meeting's time zone, and whether it is important. */
export function MoreSection({ draft, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  const isVipOffered = useProfile()?.flags.enableVipMeeting === 1 || draft.vip;
  const isElsewhere = draft.timeZone !== ownZone();
  const summary = [draft.timeZone, ...(draft.vip ? [t('vip.badge')] : [])].join(' · ');
  return (
    <Section
      title={t(isVipOffered ? 'more.withVip' : 'zone.title')}
      summary={summary}
      isFilled={isElsewhere || draft.vip}
      hasError={errors.timeZone !== undefined || errors.vip !== undefined}
      testId="section-more"
    >
      <ZoneSelect
        value={draft.timeZone}
        error={errors.timeZone}
        // The chosen clock time stays: 09:00 becomes 09:00 in the new zone.
        onChange={(timeZone) =>
          onChange({ timeZone, startTime: movedStart(draft.startTime, draft.timeZone, timeZone) })
        }
      />
      {isVipOffered && (
        <SwitchField
          label={t('vip.title')}
          hint={t('vip.hint')}
          error={errors.vip}
          checked={draft.vip}
          onChange={(vip) => onChange({ vip })}
          testId="meeting-vip"
        />
      )}
    </Section>
  );
}

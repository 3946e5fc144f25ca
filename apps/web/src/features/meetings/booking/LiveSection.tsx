import { Link } from 'react-router';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { LIVE_MEETINGS } from '../../../lib/paths.ts';
import { SettingFields } from '../../../ui/broadcast/SettingFields.tsx';
import { useT } from '../../../ui/broadcast/texts.ts';
import type { FieldsProps } from './fields.ts';
import { Section } from './Section.tsx';

/** How the broadcast of a new live meeting can be watched. */
export function LiveSection({ meeting, draft: { live }, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  const settings = useT();
  const title = t('live.title');
  if (meeting !== null)
    return (
      <Section title={title} summary="" isFilled={false} hasError={false} testId="section-live">
        <p className="form-field-hint">{t('live.booked')}</p>
        <Link to={LIVE_MEETINGS}>{t('live.toList')}</Link>
      </Section>
    );
  return (
    <Section
      title={title}
      summary={settings(`access.${live.access}`)}
      isFilled
      hasError={errors.live !== undefined}
      testId="section-live"
    >
      <SettingFields
        value={live}
        hostId={session.user?.id}
        hasPassword={false}
        error={errors.live}
        onChange={(change) => onChange({ live: { ...live, ...change } })}
      />
    </Section>
  );
}

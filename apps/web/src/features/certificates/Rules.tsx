import { CERT_MATCHES, type CertMatch, type CertRules } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import '../../ui/admin/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { useAuthorityActions } from './queries.ts';

/** The domains in a text, separated by commas or spaces. */
const domainsIn = (text: string): string[] => text.split(/[\s,，;；]+/).filter((one) => one !== '');
const DOMAIN_EXAMPLE = 'corp.example.org';
const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u;

/** The domains of user principal names. */
function DomainField({
  value,
  mayChange,
  onChange,
}: {
  value: string;
  mayChange: boolean;
  onChange: (text: string) => void;
}) {
  const t = useTexts('certificates');
  const wrong = domainsIn(value).find((one) => !DOMAIN.test(one));
  return (
    <FormField
      label={t('rules.domains')}
      hint={t('rules.domainsHint')}
      error={wrong === undefined ? undefined : t('rules.domainWrong', { domain: wrong })}
    >
      {(control) => (
        <Input
          {...control}
          value={value}
          maxLength={2_000}
          disabled={!mayChange}
          placeholder={DOMAIN_EXAMPLE}
          data-testid="rules-domains"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </FormField>
  );
}

/** Whom certificates sign in. */
export function Rules({ rules, mayChange }: { rules: CertRules; mayChange: boolean }) {
  const t = useTexts('certificates');
  const admin = useTexts('admin');
  const { setRules } = useAuthorityActions();
  const [match, setMatch] = useState<CertMatch>(rules.match);
  const [typed, setTyped] = useState(rules.domains.join(', '));
  const [refuseStale, setRefuseStale] = useState(rules.refuseStale);
  const save = (): void => {
    const domains = domainsIn(typed).map((one) => one.toLowerCase());
    if (!domains.every((one) => DOMAIN.test(one))) return;
    setRules.mutate({ match, domains, refuseStale }, { onSuccess: () => toast('success', () => admin('saved')) });
  };
  return (
    <section className="certificates-section" aria-label={t('rules.title')} data-testid="certificate-rules">
      <h2>{t('rules.title')}</h2>
      <p className="certificates-lead">{t('rules.lead')}</p>
      <FormField label={t('rules.match')} hint={t(`rules.hint.${match}`)}>
        {(control) => (
          <Select<CertMatch>
            {...control}
            value={match}
            disabled={!mayChange}
            options={CERT_MATCHES.map((value) => ({ value, label: t(`rules.of.${value}`) }))}
            data-testid="rules-match"
            onChange={setMatch}
          />
        )}
      </FormField>
      {match === 'upn' && <DomainField value={typed} mayChange={mayChange} onChange={setTyped} />}
      <SwitchField
        label={t('rules.refuseStale')}
        hint={t('rules.refuseStaleHint')}
        checked={refuseStale}
        disabled={!mayChange}
        testId="rules-stale"
        onChange={setRefuseStale}
      />
      {mayChange && (
        <div className="certificate-buttons">
          <Button kind="primary" busy={setRules.isPending} data-testid="rules-save" onClick={save}>
            {t('rules.save')}
          </Button>
        </div>
      )}
    </section>
  );
}

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
const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u;

/** Whom certificates sign in. */
export function Rules({ rules, mayChange }: { rules: CertRules; mayChange: boolean }) {
  const t = useTexts('certificates');
  const admin = useTexts('admin');
  const { setRules } = useAuthorityActions();
  const [match, setMatch] = useState<CertMatch>(rules.match);
  const [domains, setDomains] = useState(rules.domains.join(', '));
  const [refuseStale, setRefuseStale] = useState(rules.refuseStale);
  const wrong = domainsIn(domains).find((one) => !DOMAIN.test(one));
  const save = (): void => {
    if (wrong !== undefined) return;
    const body = { match, domains: domainsIn(domains).map((one) => one.toLowerCase()), refuseStale };
    setRules.mutate(body, { onSuccess: () => toast('success', () => admin('saved')) });
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
      {match === 'upn' && (
        <FormField
          label={t('rules.domains')}
          hint={t('rules.domainsHint')}
          error={wrong === undefined ? undefined : t('rules.domainWrong', { domain: wrong })}
        >
          {(control) => (
            <Input
              {...control}
              value={domains}
              maxLength={2_000}
              disabled={!mayChange}
              placeholder="corp.example.org"
              data-testid="rules-domains"
              onChange={({ target }) => setDomains(target.value)}
            />
          )}
        </FormField>
      )}
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

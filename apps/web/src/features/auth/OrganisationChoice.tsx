import type { TenantChoice } from '@rmeet/contract';
import { useId } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';

interface OrganisationChoiceProps extends TenantChoice {
  busy: boolean;
  onChoose: (tenantId: string, name: string) => void;
}

/** Asks the user to choose one of several organisations. */
export function OrganisationChoice({ tenants, busy, onChoose }: OrganisationChoiceProps) {
  const t = useTexts('auth');
  const id = useId();
  return (
    <div className="login-choice" role="group" aria-labelledby={id} data-testid="login-choice">
      <p id={id} role="alert">
        {t('chooseOrganisation')}
      </p>
      {tenants.map(({ tenantId, name }, i) => (
        <Button
          key={tenantId}
          className="login-choice-one"
          busy={busy}
          autoFocus={i === 0}
          data-testid="login-choice-tenant"
          onClick={() => onChoose(tenantId, name)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

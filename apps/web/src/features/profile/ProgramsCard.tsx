import type { OfferedClient } from '@rmeet/contract';
import { useId } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { scopeKey } from '../../lib/scopeKey.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { useEndGrant, useGrantProgram, usePrograms } from './queries.ts';

/** Programs of the organisation that may act in the user's name, if there are any. */
export function ProgramsCard() {
  const t = useTexts('profile');
  const common = useTexts('common');
  const titleId = useId();
  const list = usePrograms();
  const grant = useGrantProgram();
  const end = useEndGrant();
  const programs = list.data ?? [];
  if (programs.length === 0) return null;

  const allow = async ({ clientId, name }: OfferedClient): Promise<void> => {
    const sure = await ask({
      title: t('programs.allowTitle', { name }),
      text: t('programs.allowText'),
      okText: t('programs.allow'),
      cancelText: common('cancel'),
    });
    if (sure) grant.mutate(clientId, { onSuccess: () => toast('success', () => t('programs.allowed', { name })) });
  };
  const stop = (id: string, name: string) =>
    end.mutate(id, { onSuccess: () => toast('success', () => t('programs.ended', { name })) });

  return (
    <section className="profile-card profile-card-wide" aria-labelledby={titleId} data-testid="programs">
      <h2 id={titleId}>{t('programs.title')}</h2>
      <p className="profile-lead">{t('programs.lead')}</p>
      <ul className="profile-sessions">
        {programs.map((program) => (
          <Program
            key={program.clientId}
            program={program}
            busy={grant.isPending || end.isPending}
            onAllow={() => void allow(program)}
            onEnd={(id) => stop(id, program.name)}
          />
        ))}
      </ul>
    </section>
  );
}

interface ProgramProps {
  program: OfferedClient;
  busy: boolean;
  onAllow: () => void;
  onEnd: (grantId: string) => void;
}

function Program({ program, busy, onAllow, onEnd }: ProgramProps) {
  const t = useTexts('profile');
  const { name, description, scopes, grant, grantedByTenant } = program;
  return (
    <li data-testid="program-row">
      <div>
        <p className="profile-device">
          {name}
          {(grant !== null || grantedByTenant) && <span className="profile-current">{t('programs.current')}</span>}
        </p>
        {description !== '' && <p>{description}</p>}
        <p className="profile-session-facts">
          <span>
            {t('programs.may', {
              list: scopes.map((scope) => t(`programs.scope.${scopeKey(scope)}`)).join(t('separator')),
            })}
          </span>
        </p>
        <p className="profile-session-facts">
          {grantedByTenant && <span>{t('programs.byTenant')}</span>}
          {grant && <span>{t('programs.since', { time: formatTime(grant.grantedAt) })}</span>}
          {grant?.lastUsedAt && <span>{t('programs.used', { time: formatTime(grant.lastUsedAt) })}</span>}
        </p>
      </div>
      {grant ? (
        <Button
          busy={busy}
          aria-label={t('programs.endNamed', { name })}
          data-testid="program-end"
          onClick={() => onEnd(grant.id)}
        >
          {t('programs.end')}
        </Button>
      ) : (
        !grantedByTenant && (
          <Button
            busy={busy}
            aria-label={t('programs.allowNamed', { name })}
            data-testid="program-allow"
            onClick={onAllow}
          >
            {t('programs.allow')}
          </Button>
        )
      )}
    </li>
  );
}

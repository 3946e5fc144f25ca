import { deviceOf, type OwnFactors, type RememberedDevice } from '@rmeet/contract';
import { useId, useState, type FormEvent } from 'react';
import { sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { RecoveryCodes } from '../../ui/factor/RecoveryCodes.tsx';
import '../../ui/factor/texts.ts';
import { TotpSecret } from '../../ui/factor/TotpSecret.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAddTotp, useChangeFactors, useOwnFactors, useRenewRecovery, useStartTotp } from './factors.ts';

/** The second factor of the account: its app, recovery codes, and browsers that are not asked. */
export function FactorCard() {
  const t = useTexts('profile');
  const titleId = useId();
  const own = useOwnFactors();
  return (
    <section className="profile-card" aria-labelledby={titleId} data-testid="factor-card">
      <h2 id={titleId}>{t('factor.title')}</h2>
      <p className="profile-lead">{t('factor.lead')}</p>
      {own.isPending && <Loading />}
      {own.isError && !own.data && <ErrorState retry={() => void own.refetch()} />}
      {own.data && <Factors own={own.data} />}
    </section>
  );
}

function Factors({ own }: { own: OwnFactors }) {
  const t = useTexts('profile');
  const factor = useTexts('factor');
  const { totpSince, passkeys, recoveryLeft, codes, isDemanded, devices } = own;
  const hasFactor = totpSince !== null || passkeys > 0;
  const [shown, setShown] = useState<readonly string[] | null>(null);
  const start = useStartTotp();

  return (
    <>
      <AppState since={totpSince} />
      {isDemanded && <p className="profile-lead">{t('factor.demanded')}</p>}
      {hasFactor && (
        <p className={recoveryLeft <= 2 ? 'profile-error' : 'profile-lead'} data-testid="recovery-left">
          {t('factor.recoveryLeft', { count: recoveryLeft })}
        </p>
      )}
      {codes.length > 0 && (
        <p className="profile-lead">
          {t('factor.codes', { ways: codes.map((way) => t(`factor.codeWay.${way}`)).join(t('factor.and')) })}
        </p>
      )}
      <div className="profile-buttons">
        <Button
          kind={totpSince === null ? 'primary' : 'plain'}
          busy={start.isPending}
          data-testid="factor-add"
          onClick={() => start.mutate()}
        >
          {t(totpSince === null ? 'factor.add' : 'factor.replace')}
        </Button>
        {hasFactor && <RenewButton onRenewed={setShown} />}
        {totpSince !== null && <RemoveButton />}
      </div>
      <Devices devices={devices} />
      {start.data && (
        <AddDialog
          secret={start.data}
          onAdded={(recoveryCodes) => {
            start.reset();
            setShown(recoveryCodes);
          }}
          onClose={() => start.reset()}
        />
      )}
      {shown && (
        <PageDialog title={factor('recovery.title')} testId="recovery-dialog" onClose={() => setShown(null)}>
          <RecoveryCodes codes={shown} onKept={() => setShown(null)} />
        </PageDialog>
      )}
    </>
  );
}

/** Makes new recovery codes. */
function RenewButton({ onRenewed }: { onRenewed: (codes: readonly string[]) => void }) {
  const t = useTexts('profile');
  const renew = useRenewRecovery(onRenewed);
  return (
    <Button busy={renew.isPending} data-testid="factor-renew" onClick={() => renew.mutate()}>
      {t('factor.renew')}
    </Button>
  );
}

/** Removes the authenticator app. */
function RemoveButton() {
  const t = useTexts('profile');
  const common = useTexts('common');
  const { remove } = useChangeFactors();

  const confirmRemoval = async (): Promise<void> => {
    const sure = await ask({
      title: t('factor.removeTitle'),
      text: t('factor.removeText'),
      okText: t('factor.remove'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) remove.mutate(undefined, { onSuccess: () => toast('success', () => t('factor.removed')) });
  };

  return (
    <Button busy={remove.isPending} data-testid="factor-remove" onClick={() => void confirmRemoval()}>
      {t('factor.remove')}
    </Button>
  );
}

function AppState({ since }: { since: string | null }) {
  const t = useTexts('profile');
  return (
    <p className="profile-factor" data-on={since !== null} data-testid="factor-state">
      {since === null ? t('factor.off') : t('factor.on', { date: formatDay(since) })}
    </p>
  );
}

/** Browsers on which the factor is not asked. */
function Devices({ devices }: { devices: readonly RememberedDevice[] }) {
  const t = useTexts('profile');
  const { forget } = useChangeFactors();
  if (devices.length === 0) return null;
  return (
    <>
      <h3 className="profile-devices">{t('factor.devices')}</h3>
      <ul className="profile-sessions">
        {devices.map(({ id, userAgent, address, lastUsedAt, expiresAt }) => {
          const { browser, system } = deviceOf(userAgent);
          const device = t('sessions.device', {
            browser: browser ?? t('sessions.unknownBrowser'),
            system: system ?? t('sessions.unknownSystem'),
          });
          return (
            <li key={id} data-testid="remembered-device">
              <div>
                <p className="profile-device">{device}</p>
                <p className="profile-session-facts">
                  <span>{address}</span>
                  <span>{t('sessions.seen', { time: formatTime(lastUsedAt) })}</span>
                  <span>{t('factor.until', { time: formatTime(expiresAt) })}</span>
                </p>
              </div>
              <Button
                busy={forget.isPending}
                aria-label={t('factor.forgetNamed', { device, address })}
                data-testid="device-forget"
                onClick={() => forget.mutate(id)}
              >
                {t('factor.forget')}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface AddDialogProps {
  secret: { secret: string; uri: string };
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function AddDialog({ secret, onAdded, onClose }: AddDialogProps) {
  const t = useTexts('profile');
  const factor = useTexts('factor');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<'codeMissing' | 'codeWrong'>();
  const add = useAddTotp(onAdded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const code = typed.replaceAll(/\s/g, '');
    const found = code === '' ? 'codeMissing' : /^\d{6}$/.test(code) ? undefined : 'codeWrong';
    setFault(found);
    if (found === undefined) add.mutate(code);
  };
  return (
    <PageDialog title={t('factor.add')} testId="factor-dialog" onClose={onClose}>
      <form className="profile-form" noValidate onSubmit={submit}>
        <TotpSecret {...secret} />
        <TextField
          label={factor('code')}
          value={typed}
          error={fault && factor(fault)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          data-focus
          data-testid="totp-code"
          onChange={({ target }) => {
            setTyped(target.value);
            setFault(undefined);
          }}
        />
        {add.isError && (
          <p className="profile-error" role="alert">
            {sentenceOf(add.error) ?? t('factor.failed')}
          </p>
        )}
        <Button type="submit" kind="primary" busy={add.isPending} data-testid="totp-submit">
          {t('factor.confirm')}
        </Button>
      </form>
    </PageDialog>
  );
}

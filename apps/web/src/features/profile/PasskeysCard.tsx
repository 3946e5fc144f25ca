import type { OwnPasskeys, Passkey } from '@rmeet/contract';
import { useId, useState, type FormEvent } from 'react';
import { sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { canUsePasskeys, passkeyFaultOf } from '../../lib/passkeys.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { RecoveryCodes } from '../../ui/factor/RecoveryCodes.tsx';
import '../../ui/factor/texts.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAddPasskey, useChangePasskeys, useOwnPasskeys } from './passkeys.ts';

/** The account's passkeys, and why there can be none here. */
export function PasskeysCard() {
  const t = useTexts('profile');
  const titleId = useId();
  const own = useOwnPasskeys();
  return (
    <section className="profile-card" aria-labelledby={titleId} data-testid="passkeys-card">
      <h2 id={titleId}>{t('passkeys.title')}</h2>
      <p className="profile-lead">{t('passkeys.lead')}</p>
      {own.isPending && <Loading />}
      {own.isError && !own.data && <ErrorState retry={() => void own.refetch()} />}
      {own.data && (
        <>
          <PasskeyList passkeys={own.data.passkeys} />
          {own.data.place === 'ok' && canUsePasskeys() ? <AddPasskey /> : <NoPasskeysHere own={own.data} />}
        </>
      )}
    </section>
  );
}

/** Why passkeys do not work at this address, and which one to open. */
function NoPasskeysHere({ own: { place, urls } }: { own: OwnPasskeys }) {
  const t = useTexts('profile');
  const [url] = urls;
  return (
    <div data-testid="passkeys-none-here">
      <p className="profile-lead">{t(`passkeys.place.${place === 'ok' ? 'unsupported' : place}`)}</p>
      {place !== 'ok' && (
        <p className="profile-lead">{url === undefined ? t('passkeys.ask') : t('passkeys.open', { url })}</p>
      )}
    </div>
  );
}

/** The button that adds one, and what comes of it. */
function AddPasskey() {
  const t = useTexts('profile');
  const factor = useTexts('factor');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const add = useAddPasskey((recoveryCodes) => {
    setCodes(recoveryCodes);
    toast('success', () => t('passkeys.added'));
  });
  const fault = passkeyFaultOf(add.error);
  return (
    <>
      {add.error && (
        <p className="profile-error" role="alert" data-testid="passkey-error">
          {fault ? factor(`passkey.fault.${fault}`) : (sentenceOf(add.error) ?? t('passkeys.failed'))}
        </p>
      )}
      <div className="profile-buttons">
        <Button kind="primary" busy={add.isPending} data-testid="passkey-add" onClick={() => add.mutate()}>
          {t('passkeys.add')}
        </Button>
      </div>
      {codes.length > 0 && (
        <PageDialog title={factor('recovery.title')} testId="recovery-dialog" onClose={() => setCodes([])}>
          <RecoveryCodes codes={codes} onKept={() => setCodes([])} />
        </PageDialog>
      )}
    </>
  );
}

function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const t = useTexts('profile');
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  if (passkeys.length === 0) return <p className="profile-lead">{t('passkeys.none')}</p>;
  return (
    <>
      <ul className="profile-sessions">
        {passkeys.map((one) => (
          <PasskeyRow key={one.id} passkey={one} onRename={() => setRenamed(one)} />
        ))}
      </ul>
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

function PasskeyRow({ passkey, onRename }: { passkey: Passkey; onRename: () => void }) {
  const t = useTexts('profile');
  const common = useTexts('common');
  const { remove } = useChangePasskeys();
  const { id, name, rpId, isUsable, isBackedUp, createdAt, lastUsedAt } = passkey;

  const confirmRemoval = async (): Promise<void> => {
    const sure = await ask({
      title: t('passkeys.removeTitle'),
      text: t('passkeys.removeText', { name }),
      okText: t('passkeys.remove'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) remove.mutate(id, { onSuccess: () => toast('success', () => t('passkeys.removed')) });
  };

  return (
    <li data-testid="passkey">
      <div>
        <p className="profile-device">{name}</p>
        <p className="profile-session-facts">
          <span>{t('passkeys.created', { time: formatTime(createdAt) })}</span>
          <span>
            {lastUsedAt === null ? t('passkeys.never') : t('passkeys.used', { time: formatTime(lastUsedAt) })}
          </span>
          <span>{t(isBackedUp ? 'passkeys.backedUp' : 'passkeys.notBackedUp')}</span>
          {!isUsable && <span data-testid="passkey-elsewhere">{t('passkeys.elsewhere', { name: rpId })}</span>}
        </p>
      </div>
      <div className="profile-row-buttons">
        <Button aria-label={t('passkeys.renameNamed', { name })} data-testid="passkey-rename" onClick={onRename}>
          {t('passkeys.rename')}
        </Button>
        <Button
          busy={remove.isPending}
          aria-label={t('passkeys.removeNamed', { name })}
          data-testid="passkey-remove"
          onClick={() => void confirmRemoval()}
        >
          {t('passkeys.remove')}
        </Button>
      </div>
    </li>
  );
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts('profile');
  const [typed, setTyped] = useState(name);
  const [isMissing, setMissing] = useState(false);
  const { rename } = useChangePasskeys();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(typed.trim() === '');
    if (typed.trim() === '') return;
    const onSuccess = () => {
      toast('success', () => t('passkeys.renamed'));
      onClose();
    };
    rename.mutate({ id, name: typed.trim() }, { onSuccess });
  };
  return (
    <PageDialog title={t('passkeys.renameTitle')} testId="passkey-dialog" onClose={onClose}>
      <form className="profile-form" noValidate onSubmit={submit}>
        <TextField
          label={t('passkeys.name')}
          value={typed}
          error={isMissing ? t('passkeys.nameMissing') : undefined}
          maxLength={60}
          required
          data-focus
          data-testid="passkey-name"
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" kind="primary" busy={rename.isPending} data-testid="passkey-save">
          {t('passkeys.save')}
        </Button>
      </form>
    </PageDialog>
  );
}

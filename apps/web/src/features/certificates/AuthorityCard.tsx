import type { CertAuthority } from '@rmeet/contract';
import { Input } from 'antd';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { FileButton } from './FileButton.tsx';
import { useAuthorityActions } from './queries.ts';

/** A fingerprint in groups of four, as people compare it. */
const grouped = (fingerprint: string): string => (fingerprint.toUpperCase().match(/.{4}/g) ?? []).join(' ');

/** An authority with its time and its revocation list. */
export function AuthorityCard({ authority, mayChange }: { authority: CertAuthority; mayChange: boolean }) {
  const t = useTexts('certificates');
  const admin = useTexts('admin');
  const [isOpen, setIsOpen] = useState(false);
  const { remove: removing } = useAuthorityActions();
  const { id, subject, issuer, fingerprint, key, notBefore, notAfter, isExpired } = authority;
  const remove = async (): Promise<void> => {
    const sure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name: subject }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) removing.mutate(id, { onSuccess: () => toast('success', () => t('remove.done')) });
  };
  return (
    <li className="certificate-row" data-testid="authority-row">
      <div>
        <p className="certificate-subject">{subject}</p>
        <dl className="certificate-facts">
          <dt>{t('issuer')}</dt>
          <dd>{subject === issuer ? t('self') : issuer}</dd>
          <dt>{t('validity')}</dt>
          <dd className={isExpired ? 'certificate-bad' : undefined}>
            {t('from', { from: formatDay(notBefore), until: formatDay(notAfter) })}
            {isExpired && ` · ${t('expired')}`}
          </dd>
          <dt>{t('key')}</dt>
          <dd>{key}</dd>
          <dt>{t('fingerprint')}</dt>
          <dd className="certificate-fingerprint">{grouped(fingerprint)}</dd>
          <dt>{t('list.title')}</dt>
          <dd data-testid="authority-list">
            <ListState list={authority.list} />
          </dd>
        </dl>
      </div>
      {mayChange && (
        <RowActions
          name={subject}
          actions={[
            { key: 'list', label: t('list.change'), run: () => setIsOpen(true) },
            { key: 'remove', label: admin('action.delete'), danger: true, run: () => void remove() },
          ]}
        />
      )}
      {isOpen && <ListDialog authority={authority} onClose={() => setIsOpen(false)} />}
    </li>
  );
}

/** What is known of a revocation list. */
function ListState({ list }: Pick<CertAuthority, 'list'>) {
  const t = useTexts('certificates');
  if (!list) return <span className="certificate-bad">{t('list.none')}</span>;
  const { address, thisUpdate, nextUpdate, revoked, isStale, fetchedAt, fault } = list;
  return (
    <>
      {thisUpdate === null ? (
        <span className="certificate-bad">{t('list.missing')}</span>
      ) : (
        <span className={isStale ? 'certificate-bad' : undefined}>
          {t('list.made', { time: formatTime(thisUpdate), count: revoked })}
          {nextUpdate !== null && ` · ${t(isStale ? 'list.overdue' : 'list.next', { time: formatTime(nextUpdate) })}`}
        </span>
      )}
      {address !== '' && <span>{address}</span>}
      {fault !== null && (
        <span className="certificate-bad">
          {t('list.failed', { time: formatTime(fetchedAt), reason: t(`list.fault.${fault}`) })}
        </span>
      )}
    </>
  );
}

const ADDRESS_EXAMPLE = 'http://ca.example.org/list.crl';
const ADDRESS = /^https?:\/\/\S+$/i;

/** Sends a change of a revocation list, then calls `onDone`. */
function useSendList({ id }: CertAuthority, onDone: () => void) {
  const t = useTexts('certificates');
  const { setList } = useAuthorityActions();
  return {
    isPending: setList.isPending,
    send: (change: { address: string; file?: File }): void => {
      setList.mutate(
        { id, ...change },
        {
          onSuccess: () => {
            toast('success', () => t('list.saved'));
            onDone();
          },
        },
      );
    },
  };
}

/** Sets where a revocation list comes from. */
function ListDialog({ authority, onClose }: { authority: CertAuthority; onClose: () => void }) {
  const t = useTexts('certificates');
  const { send, isPending } = useSendList(authority, onClose);
  const [typed, setTyped] = useState(authority.list?.address ?? '');
  const [isUsed, setIsUsed] = useState(false);
  const address = typed.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsUsed(true);
    if (ADDRESS.test(address)) send({ address });
  };
  const error = isUsed && !ADDRESS.test(address) ? t('list.addressWrong') : undefined;
  return (
    <PageDialog title={t('list.title')} testId="list-dialog" onClose={onClose}>
      <form className="certificate-list-form" noValidate onSubmit={submit}>
        <p className="certificates-lead">{t('list.lead')}</p>
        <FormField label={t('list.address')} hint={t('list.addressHint')} error={error}>
          {(control) => (
            <Input
              {...control}
              value={typed}
              maxLength={500}
              spellCheck={false}
              placeholder={ADDRESS_EXAMPLE}
              data-testid="list-address"
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </FormField>
        <div className="certificate-buttons">
          <Button type="submit" kind="primary" busy={isPending} data-testid="list-save">
            {t('list.save')}
          </Button>
          <FileButton
            accept=".crl,.pem,.der"
            label={t('list.upload')}
            testId="list-upload"
            onChoose={(file) => send({ address: '', file })}
          >
            {t('list.upload')}
          </FileButton>
          {authority.list && (
            <Button data-testid="list-remove" onClick={() => send({ address: '' })}>
              {t('list.remove')}
            </Button>
          )}
        </div>
      </form>
    </PageDialog>
  );
}

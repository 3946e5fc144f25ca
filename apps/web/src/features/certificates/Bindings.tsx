import type { CertBinding } from '@rmeet/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import { RowActions } from '../../ui/admin/RowActions.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { FileButton } from './FileButton.tsx';
import { useBindingActions, useBindings } from './queries.ts';

/** The certificates that are bound to accounts. */
export function Bindings() {
  const t = useTexts('certificates');
  const list = useBindings();
  const { data } = list;
  return (
    <section className="certificates-section" aria-label={t('bound.title')} data-testid="bindings">
      <h2>{t('bound.title')}</h2>
      <p className="certificates-lead">{t('bound.lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && !data && <ErrorState retry={() => void list.refetch()} />}
      {data?.can.update === true && <BindForm />}
      {data && data.records.length === 0 && <p className="certificates-lead">{t('bound.none')}</p>}
      {data && data.records.length > 0 && (
        <ul className="certificates" aria-label={t('bound.title')}>
          {data.records.map((one) => (
            <BindingRow key={one.id} binding={one} mayChange={data.can.update} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Binds a certificate to an account. */
function BindForm() {
  const t = useTexts('certificates');
  const { bind } = useBindingActions();
  const [account, setAccount] = useState('');
  return (
    <div className="certificate-bind">
      <FormField label={t('bound.account')}>
        {(control) => (
          <Input
            {...control}
            value={account}
            maxLength={120}
            spellCheck={false}
            data-testid="bind-account"
            onChange={({ target }) => setAccount(target.value)}
          />
        )}
      </FormField>
      <FileButton
        accept=".pem,.crt,.cer,.der"
        label={t('bound.bind')}
        busy={bind.isPending}
        disabled={account.trim() === ''}
        testId="bind"
        onChoose={(file) =>
          bind.mutate(
            { account: account.trim(), file },
            {
              onSuccess: ({ name }) => {
                setAccount('');
                toast('success', () => t('bound.done', { name }));
              },
            },
          )
        }
      >
        {t('bound.bind')}
      </FileButton>
    </div>
  );
}

function BindingRow({ binding, mayChange }: { binding: CertBinding; mayChange: boolean }) {
  const t = useTexts('certificates');
  const admin = useTexts('admin');
  const { unbind } = useBindingActions();
  const { id, account, name, subject, expiresAt, lastUsedAt } = binding;
  const end = async (): Promise<void> => {
    const sure = await ask({
      title: t('bound.endTitle'),
      text: t('bound.endText', { name, subject }),
      okText: t('bound.end'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) unbind.mutate(id, { onSuccess: () => toast('success', () => t('bound.ended')) });
  };
  return (
    <li className="certificate-row" data-testid="binding-row">
      <div>
        <p className="certificate-subject">{name === account ? name : `${name} (${account})`}</p>
        <p className="certificate-line">
          <span>{subject}</span>
          <span>{t('bound.until', { day: formatDay(expiresAt) })}</span>
          <span>{lastUsedAt === null ? t('bound.never') : t('bound.used', { time: formatTime(lastUsedAt) })}</span>
        </p>
      </div>
      {mayChange && (
        <RowActions
          name={subject}
          actions={[{ key: 'end', label: t('bound.end'), danger: true, run: () => void end() }]}
        />
      )}
    </li>
  );
}

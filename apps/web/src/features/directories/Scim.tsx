import { SCIM_PATH, SCIM_TOKENS_MAX, type ScimOverview } from '@rmeet/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useRefreshDirectories, useRoles } from './queries.ts';

/** Directories that push their people and groups (SCIM 2.0). */
export function Scim() {
  const t = useTexts('directories');
  const overview = useQuery({
    queryKey: ['directories', 'scim'],
    queryFn: () => api.scim.overview(),
    meta: { quiet: 'unloaded' },
  });
  const content = () => {
    if (!overview.data) return overview.isPending ? <Loading /> : <ErrorState retry={() => void overview.refetch()} />;
    return (
      <>
        <Tokens tokens={overview.data.tokens} />
        {overview.data.groups.length > 0 && <Groups groups={overview.data.groups} />}
      </>
    );
  };
  return (
    <section className="directory-card" aria-label={t('scim.title')} data-testid="scim">
      <h2>{t('scim.title')}</h2>
      <p className="directory-intro">{t('scim.hint')}</p>
      <dl className="directory-facts">
        <div>
          <dt>{t('scim.address')}</dt>
          <dd>
            <code>{`${window.location.origin}${SCIM_PATH}`}</code>
          </dd>
        </div>
      </dl>
      {content()}
    </section>
  );
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of a list and a form
function Tokens({ tokens }: { tokens: ScimOverview['tokens'] }) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const refresh = useRefreshDirectories();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => api.scim.createToken({ body: { name: name.trim() } }),
    onSuccess: () => {
      setName('');
      void refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.scim.removeToken({ params: { id } }),
    onSettled: refresh,
  });
  const removeAfterAsking = async (token: ScimOverview['tokens'][number]) => {
    const sure = await ask({
      title: t('scim.removeTitle'),
      text: t('scim.removeText', { name: token.name }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (sure) remove.mutate(token.id, { onSuccess: () => toast('success', () => t('scim.removed')) });
  };
  return (
    <>
      <ul className="directory-changes scim-tokens">
        {tokens.map((token) => (
          <li key={token.id} data-testid="scim-token">
            <strong>{token.name}</strong>
            <span className="directory-kind">
              {t('scim.made', { time: formatTime(token.createdAt) })}
              {' · '}
              {token.lastUsedAt === null ? t('scim.unused') : t('scim.used', { time: formatTime(token.lastUsedAt) })}
            </span>
            <Button data-testid="scim-token-remove" onClick={() => void removeAfterAsking(token)}>
              {admin('action.delete')}
            </Button>
          </li>
        ))}
      </ul>
      {create.data && (
        <p className="scim-made" role="status" data-testid="scim-made">
          {t('scim.shownOnce')}
          <code>{create.data.token}</code>
        </p>
      )}
      {tokens.length < SCIM_TOKENS_MAX && (
        <div className="scim-new">
          <FormField label={t('scim.tokenName')} hint={t('scim.tokenHint')}>
            {(control) => (
              <Input
                {...control}
                value={name}
                maxLength={60}
                autoComplete="off"
                data-testid="scim-token-name"
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </FormField>
          <Button
            disabled={name.trim() === ''}
            busy={create.isPending}
            data-testid="scim-token-new"
            onClick={() => create.mutate()}
          >
            {t('scim.newToken')}
          </Button>
        </div>
      )}
    </>
  );
}

function Groups({ groups }: { groups: ScimOverview['groups'] }) {
  const t = useTexts('directories');
  const language = useLanguage();
  const refresh = useRefreshDirectories();
  const roles = useRoles();
  const set = useMutation({
    mutationFn: ({ id, roleId }: { id: string; roleId: string | null }) =>
      api.scim.setRole({ params: { id }, body: { roleId } }),
    onSettled: refresh,
  });
  const options = (roles.data ?? []).map(({ id, name, nameEn }) => ({
    value: id,
    label: language === 'en' && nameEn !== '' ? nameEn : name,
  }));
  return (
    <>
      <h3>{t('form.groups')}</h3>
      <ul className="directory-changes">
        {groups.map(({ id, name, members, roleId }) => (
          <li key={id} data-testid="scim-group">
            <strong>{name}</strong>
            <span className="directory-kind">{t('count.people', { count: members })}</span>
            <FormField label={t('form.role')}>
              {(control) => (
                <Select
                  {...control}
                  className="scim-role"
                  allowClear
                  value={roleId}
                  options={options}
                  placeholder={t('form.none')}
                  loading={set.isPending}
                  data-testid="scim-group-role"
                  onChange={(value: string | null | undefined) => set.mutate({ id, roleId: value ?? null })}
                />
              )}
            </FormField>
          </li>
        ))}
      </ul>
    </>
  );
}

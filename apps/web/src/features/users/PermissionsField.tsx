import { ENTRY_TYPES, localName, type GrantableEntry, type User } from '@rmeet/contract';
import { Checkbox } from 'antd';
import { useId, useState } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isOffered } from '../../lib/offered.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useGrants, usePermissionOptions } from './queries.ts';

interface PermissionsFieldProps {
  user: User;
  tenant: string;
  /** Null: unchanged. */
  chosen: readonly string[] | null;
  error: string | undefined;
  onChange: (permissionIds: string[]) => void;
}

/** Permissions granted to a user directly, besides the roles. */
export function PermissionsField({ user, tenant, chosen, error, onChange }: PermissionsFieldProps) {
  const t = useTexts('users');
  const id = useId();
  const [keyword, setKeyword] = useState('');
  const options = usePermissionOptions(tenant);
  const grants = useGrants(tenant, user.id);
  const granted = chosen ?? grants.data?.permissionIds;
  const isReady = options.data !== undefined && granted !== undefined;
  const isFailed = !isReady && (options.isError || grants.isError);

  return (
    <fieldset aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{t('permissions.title')}</legend>
      <p className="admin-form-hint">{t('permissions.hint')}</p>
      <div className="user-permissions-bar">
        <SearchField
          keyword={keyword}
          onSearch={setKeyword}
          placeholder={t('permissions.search')}
          testId="permissions-search"
        />
        {isReady && (
          <span role="status" data-testid="permissions-count">
            {t('permissions.count', { count: options.data.filter((entry) => granted.includes(entry.id)).length })}
          </span>
        )}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      <div className="user-permissions">
        {!isReady && !isFailed && <Loading />}
        {isFailed && (
          <ErrorState
            title={t('permissions.failed')}
            retry={() => {
              void options.refetch();
              void grants.refetch();
            }}
          />
        )}
        {isReady && (
          <PermissionChoices
            options={options.data}
            // What was granted when the form opened stays in the list once it is unticked.
            before={grants.data?.permissionIds ?? granted}
            granted={granted}
            keyword={keyword}
            onChange={onChange}
          />
        )}
      </div>
    </fieldset>
  );
}

function matches({ name, nameEn, code }: GrantableEntry, keyword: string): boolean {
  const wanted = keyword.trim().toLowerCase();
  return [name, nameEn, code ?? ''].some((text) => text.toLowerCase().includes(wanted));
}

function Label({ entry }: { entry: GrantableEntry }) {
  const t = useTexts('users');
  const language = useLanguage();
  return (
    <span className="user-permission">
      {localName(entry, language)}
      {entry.code !== null && <code>{entry.code}</code>}
      {entry.type !== ENTRY_TYPES.permission && <small>{t('permissions.menu')}</small>}
      {!entry.inUse && <span className="user-permission-mark">{t('permissions.unused')}</span>}
      {entry.denied && <span className="user-permission-mark">{t('permissions.denied')}</span>}
    </span>
  );
}

interface PermissionChoicesProps {
  options: readonly GrantableEntry[];
  before: readonly string[];
  granted: readonly string[];
  keyword: string;
  onChange: (permissionIds: string[]) => void;
}

function PermissionChoices({ options, before, granted, keyword, onChange }: PermissionChoicesProps) {
  const t = useTexts('users');
  const found = options.filter((entry) => isOffered(entry, before) && matches(entry, keyword));
  return (
    <>
      {found.length === 0 && (
        <p className="user-permissions-none">{t(keyword === '' ? 'permissions.none' : 'permissions.noMatch')}</p>
      )}
      {found.map((entry) => (
        <Checkbox
          key={entry.id}
          checked={granted.includes(entry.id)}
          data-testid={`permission-${entry.code ?? entry.id}`}
          // Permissions that are granted but no longer offered stay.
          onChange={({ target }) =>
            onChange([...granted.filter((one) => one !== entry.id), ...(target.checked ? [entry.id] : [])].sort())
          }
        >
          <Label entry={entry} />
        </Checkbox>
      ))}
    </>
  );
}

import { localName, type Access } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Answer } from './Answer.tsx';
import { matching, ruleSentence, type Shown } from './view.ts';

type Permission = Access['permissions'][number];
type Call = Access['calls'][number];

/** Permissions and calls, each with the result and the rule behind it. */
export function AccessTables({ access, shown, keyword }: { access: Access; shown: Shown; keyword: string }) {
  const t = useTexts('permissions');
  const permissions = matching(access.permissions, shown, keyword, ({ code, name, nameEn }) => [code, name, nameEn]);
  const calls = matching(access.calls, shown, keyword, ({ id, path, summary }) => [id, path, summary]);
  const { permissionColumns, callColumns } = useColumns();
  return (
    <>
      <Part id="permissions" title={t('access.permissions')} rows={permissions} all={access.permissions}>
        <DataTable
          label={t('access.permissions')}
          columns={permissionColumns}
          rows={permissions}
          rowKey={({ code }) => code}
          rowTestId="access-permission"
        />
      </Part>
      <Part id="calls" title={t('access.calls')} rows={calls} all={access.calls}>
        <DataTable
          label={t('access.calls')}
          columns={callColumns}
          rows={calls}
          rowKey={({ id }) => id}
          rowTestId="access-call"
        />
      </Part>
    </>
  );
}

function useColumns() {
  const t = useTexts('permissions');
  const language = useLanguage();
  const answer = {
    key: 'answer',
    label: t('access.column.answer'),
    width: '110px',
    lead: true,
    render: ({ allowed }: Permission | Call) => <Answer allowed={allowed} />,
  };
  const rule = {
    key: 'rule',
    label: t('access.column.rule'),
    render: ({ rule: one }: Permission | Call) => ruleSentence(one, t),
  };
  const permissionColumns: Column<Permission>[] = [
    {
      key: 'name',
      label: t('access.column.permission'),
      heading: true,
      render: (one) => (
        <>
          {localName(one, language)}
          {!one.inUse && <span className="access-unused">{t('access.unused')}</span>}
        </>
      ),
    },
    { key: 'code', label: t('access.column.code'), render: ({ code }) => <code>{code}</code> },
    answer,
    rule,
  ];
  const callColumns: Column<Call>[] = [
    // Summaries come from the API description, which is in English.
    {
      key: 'call',
      label: t('access.column.call'),
      heading: true,
      render: ({ summary, id }) => (
        <span lang="en" title={id}>
          {summary}
        </span>
      ),
    },
    { key: 'path', label: t('access.column.path'), render: ({ method, path }) => <code>{`${method} ${path}`}</code> },
    answer,
    rule,
  ];
  return { permissionColumns, callColumns };
}

interface PartProps {
  id: string;
  title: string;
  rows: readonly { allowed: boolean }[];
  all: readonly { allowed: boolean }[];
  children: ReactNode;
}

function Part({ id, title, rows, all, children }: PartProps) {
  const t = useTexts('permissions');
  return (
    <section className="access-part" aria-labelledby={`access-${id}`}>
      <h2 id={`access-${id}`}>{title}</h2>
      <p className="access-count" role="status">
        {t('access.count', {
          shown: rows.length,
          all: all.length,
          allowed: rows.filter(({ allowed }) => allowed).length,
        })}
      </p>
      {rows.length === 0 ? <p className="access-none">{t('access.noMatch')}</p> : children}
    </section>
  );
}

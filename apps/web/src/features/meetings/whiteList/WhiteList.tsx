import { PHONE_PATTERN, type WhiteList as List } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useInvitees } from '../../../lib/invitees.ts';
import { toast } from '../../../lib/notify.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { departmentsQuery } from '../people/queries.ts';
import './texts.ts';
import './whiteList.css';

const inDialog = (select: HTMLElement): HTMLElement => select.closest('dialog') ?? document.body;
interface Chosen {
  userIds: string[];
  departments: string[];
  numbers: string[];
}

const bodyOf = ({ users, departments, numbers }: List): Chosen => ({
  userIds: users.map(({ userId }) => userId),
  departments,
  numbers,
});

/**
 * Who may enter a meeting without an invitation: people, departments and telephone numbers; each is added and removed
 * immediately.
 */
export function WhiteList({ meetId }: { meetId: string }) {
  const t = useTexts('whiteList');
  const id = useId();
  const key = ['white-list', meetId];
  const client = useQueryClient();
  const found = useQuery({
    queryKey: key,
    queryFn: () => api.whiteList.read({ params: { id: meetId } }),
    meta: { quiet: true },
  });
  const save = useMutation({
    mutationFn: (body: Chosen) => api.whiteList.write({ params: { id: meetId }, body }),
    onSuccess: (list) => {
      client.setQueryData(key, list);
      toast('success', () => t('saved'));
    },
  });
  const list = found.data;
  const change = (part: Partial<Chosen>) => list && save.mutate({ ...bodyOf(list), ...part });

  return (
    <section aria-labelledby={id} className="white-list" data-testid="white-list">
      <h3 id={id}>{t('title')}</h3>
      <p className="white-list-lead">{t('lead')}</p>
      {found.isError && !list && <ErrorState title={t('failed')} retry={() => void found.refetch()} />}
      {list && (
        <>
          <Entries list={list} busy={save.isPending} change={change} />
          <div className="white-list-add">
            <PersonField
              chosen={bodyOf(list).userIds}
              disabled={save.isPending}
              onPick={(userId) => change({ userIds: [...bodyOf(list).userIds, userId] })}
            />
            <DepartmentField
              chosen={list.departments}
              disabled={save.isPending}
              onPick={(path) => change({ departments: [...list.departments, path] })}
            />
            <NumberField busy={save.isPending} onAdd={(number) => change({ numbers: [...list.numbers, number] })} />
          </div>
        </>
      )}
    </section>
  );
}

const without = <T,>(all: readonly T[], one: T): T[] => all.filter((other) => other !== one);

interface EntriesProps {
  list: List;
  busy: boolean;
  change: (part: Partial<Chosen>) => void;
}

function Entries({ list, busy, change }: EntriesProps) {
  const t = useTexts('whiteList');
  return (
    <ul>
      {list.users.map(({ userId, name, department }) => (
        <Entry
          key={userId}
          name={name}
          detail={department}
          busy={busy}
          onRemove={() => change({ userIds: without(bodyOf(list).userIds, userId) })}
        />
      ))}
      {list.departments.map((path) => (
        <Entry
          key={path}
          name={path.split('/').join(' / ')}
          detail={t('department')}
          busy={busy}
          onRemove={() => change({ departments: without(list.departments, path) })}
        />
      ))}
      {list.numbers.map((number) => (
        <Entry
          key={number}
          name={number}
          detail={t('number')}
          busy={busy}
          onRemove={() => change({ numbers: without(list.numbers, number) })}
        />
      ))}
    </ul>
  );
}

function Entry({
  name,
  detail,
  busy,
  onRemove,
}: {
  name: string;
  detail: ReactNode;
  busy: boolean;
  onRemove: () => void;
}) {
  const t = useTexts('whiteList');
  return (
    <li data-testid="white-list-entry">
      <span>
        {name} <small>{detail}</small>
      </span>
      <IconButton
        icon="cancel"
        danger
        disabled={busy}
        label={t('remove', { name })}
        data-testid="white-list-remove"
        onClick={onRemove}
      />
    </li>
  );
}

interface PickProps {
  /** Entries that are on the list, and therefore not offered. */
  chosen: readonly string[];
  disabled: boolean;
  onPick: (value: string) => void;
}

function PersonField({ chosen, disabled, onPick }: PickProps) {
  const t = useTexts('whiteList');
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const keyword = useDebouncedValue(wanted);
  const search = useInvitees(keyword);
  const people = keyword === '' ? [] : (search.data ?? []).filter(({ userId }) => !chosen.includes(userId));
  const empty = search.isFetching || wanted !== keyword ? 'searching' : 'noMatch';
  return (
    <Select
      aria-label={t('addPerson')}
      value={null}
      disabled={disabled}
      placeholder={t('addPerson')}
      getPopupContainer={inDialog}
      notFoundContent={t(wanted === '' ? 'typeToSearch' : empty)}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
      options={people.map(({ userId, name, account, department }) => ({
        value: userId,
        label: [name, account, department].filter(Boolean).join(' · '),
      }))}
      data-testid="white-list-person"
      onChange={(userId: string | null) => {
        setTyped('');
        if (userId !== null) onPick(userId);
      }}
    />
  );
}

function DepartmentField({ chosen, disabled, onPick }: PickProps) {
  const t = useTexts('whiteList');
  const { data = [], isPending } = useQuery(departmentsQuery);
  return (
    <Select
      aria-label={t('addDepartment')}
      value={null}
      disabled={disabled}
      loading={isPending}
      placeholder={t('addDepartment')}
      getPopupContainer={inDialog}
      notFoundContent={t('noDepartments')}
      showSearch={{ optionFilterProp: 'label' }}
      options={data
        .filter(({ path }) => !chosen.includes(path))
        .map(({ path }) => ({ value: path, label: path.split('/').join(' / ') }))}
      data-testid="white-list-department"
      onChange={(path: string | null) => path !== null && onPick(path)}
    />
  );
}

function NumberField({ busy, onAdd }: { busy: boolean; onAdd: (number: string) => void }) {
  const t = useTexts('whiteList');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const add = () => {
    if (PHONE_PATTERN.test(typed.trim())) {
      onAdd(typed.trim());
      setTyped('');
    } else setFault(t('numberWrong'));
  };
  return (
    <div className="white-list-number">
      <TextField
        label={t('addNumber')}
        type="tel"
        value={typed}
        error={fault}
        hint={t('numberHint')}
        maxLength={30}
        autoComplete="off"
        data-testid="white-list-number"
        onChange={({ target }) => {
          setTyped(target.value);
          setFault(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !busy) add();
        }}
      />
      <Button busy={busy} disabled={typed.trim() === ''} data-testid="white-list-number-add" onClick={add}>
        {t('add')}
      </Button>
    </div>
  );
}

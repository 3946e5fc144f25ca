import type { DepartmentNode, Invitee } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { departmentPeople, departmentsQuery } from './queries.ts';

interface DepartmentPickerProps {
  /** Ids of invited people. */
  chosen: ReadonlySet<string>;
  /** The host, who cannot be invited to their own meeting. */
  hostId: string | undefined;
  onAdd: (people: readonly Invitee[]) => void;
  onRemove: (people: readonly Invitee[]) => void;
}

/** The departments as a tree: a checkbox selects a department with everything below it, or a single person. */
export function DepartmentPicker(props: DepartmentPickerProps) {
  const t = useTexts('meetings');
  const { data, isPending, isError, refetch } = useQuery(departmentsQuery);
  if (isPending) return <Loading />;
  if (isError) return <ErrorState retry={() => void refetch()} />;
  const top = data.filter(({ parent }) => parent === null);
  if (top.length === 0) return <p className="people-none">{t('people.noDepartments')}</p>;
  return (
    <ul className="people-tree">
      {top.map((node) => (
        <Branch key={node.path} node={node} all={data} {...props} />
      ))}
    </ul>
  );
}

interface BranchProps extends DepartmentPickerProps {
  node: DepartmentNode;
  all: readonly DepartmentNode[];
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of one branch
function Branch({ node, all, chosen, hostId, onAdd, onRemove }: BranchProps) {
  const t = useTexts('meetings');
  const [isOpen, setIsOpen] = useState(false);
  const client = useQueryClient();
  // People are fetched when the branch is expanded or checked.
  const people = useQuery({ ...departmentPeople(node.path), enabled: isOpen });
  const tick = useMutation({ mutationFn: () => client.ensureQueryData(departmentPeople(node.path)) });
  const others = (people.data ?? []).filter(({ userId }) => userId !== hostId);
  const count = others.filter(({ userId }) => chosen.has(userId)).length;
  const isAll = count > 0 && count === others.length;
  const own = others.filter(({ department }) => department === node.path);
  const below = all.filter(({ parent }) => parent === node.path);
  return (
    <li>
      <div className="people-row">
        <button
          type="button"
          className="people-open"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'people.close' : 'people.open', { name: node.name })}
          data-testid="department-open"
          onClick={() => setIsOpen((now) => !now)}
        />
        <label className="people-tick" data-testid="department-tick">
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && !isAll;
            }}
            checked={isAll}
            disabled={node.people === 0 || tick.isPending}
            onChange={({ target }) => {
              const isWanted = target.checked;
              tick.mutate(undefined, { onSuccess: isWanted ? onAdd : onRemove });
            }}
          />
          <span>{node.name}</span>
          <small>{t('people.count', { count: node.people })}</small>
        </label>
      </div>
      {isOpen && (
        <ul>
          {below.map((one) => (
            <Branch
              key={one.path}
              node={one}
              all={all}
              chosen={chosen}
              hostId={hostId}
              onAdd={onAdd}
              onRemove={onRemove}
            />
          ))}
          {people.isPending && <li className="people-none">{t('rooms.loading')}</li>}
          {people.isError && !people.data && <li className="people-none">{t('people.failed')}</li>}
          {own.map((person) => (
            <PersonTick
              key={person.userId}
              person={person}
              isChosen={chosen.has(person.userId)}
              onChange={(isChosen) => (isChosen ? onAdd : onRemove)([person])}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface PersonTickProps {
  person: Invitee;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

function PersonTick({ person, isChosen, onChange }: PersonTickProps) {
  return (
    <li>
      <label className="people-tick people-person" data-testid="person-tick">
        <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
        <span>{person.name}</span>
        <small>{person.account}</small>
      </label>
    </li>
  );
}

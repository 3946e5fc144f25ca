import { LIMITS, type Invitee, type ParticipantGroup } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiError, reportError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { groupsQuery, useGroupChange } from './queries.ts';

interface GroupPickerProps {
  /** The colleagues currently chosen: the members of a new group. */
  userIds: readonly string[];
  onAdd: (people: readonly Invitee[]) => void;
}

/** The user's own groups of people: invite a group, save the current choice as a group, rename and delete. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX
export function GroupPicker({ userIds, onAdd }: GroupPickerProps) {
  const t = useTexts('meetings');
  const { data, isPending, isError, refetch } = useQuery(groupsQuery);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [isNaming, setIsNaming] = useState(false);
  const change = useGroupChange();
  if (isPending) return <Loading />;
  if (isError) return <ErrorState retry={() => void refetch()} />;

  const remove = async ({ id, name }: ParticipantGroup) => {
    const sure = await ask({
      title: t('groups.removeTitle'),
      text: t('groups.removeText', { name }),
      okText: t('groups.remove'),
      cancelText: t('groups.keep'),
      danger: true,
    });
    if (sure)
      change.mutate(
        { kind: 'remove', id },
        { onSuccess: () => toast('success', () => t('groups.removed')), onError: reportError },
      );
  };

  return (
    <>
      {data.length === 0 && <p className="people-none">{t('groups.none')}</p>}
      <ul className="people-groups">
        {data.map((group) =>
          renamed === group.id ? (
            <li key={group.id}>
              <NameForm
                name={group.name}
                submitText={t('groups.rename')}
                onSubmit={(name) =>
                  change.mutateAsync({
                    kind: 'update',
                    id: group.id,
                    body: { name, userIds: group.people.map(({ userId }) => userId), version: group.version },
                  })
                }
                onClose={() => setRenamed(null)}
              />
            </li>
          ) : (
            <GroupRow
              key={group.id}
              group={group}
              onAdd={onAdd}
              onRename={() => setRenamed(group.id)}
              onRemove={() => void remove(group)}
            />
          ),
        )}
      </ul>
      {isNaming ? (
        <NameForm
          name=""
          submitText={t('groups.save')}
          onSubmit={(name) => change.mutateAsync({ kind: 'create', body: { name, userIds: [...userIds] } })}
          onClose={() => setIsNaming(false)}
        />
      ) : (
        <Button disabled={userIds.length === 0} data-testid="group-keep" onClick={() => setIsNaming(true)}>
          {t('groups.keepChosen', { count: userIds.length })}
        </Button>
      )}
    </>
  );
}

interface GroupRowProps {
  group: ParticipantGroup;
  onAdd: (people: readonly Invitee[]) => void;
  onRename: () => void;
  onRemove: () => void;
}

function GroupRow({ group, onAdd, onRename, onRemove }: GroupRowProps) {
  const t = useTexts('meetings');
  return (
    <li className="people-group" data-testid="people-group">
      <Button
        kind="quiet"
        data-testid="group-add"
        disabled={group.people.length === 0}
        title={group.people.map(({ name }) => name).join(', ')}
        onClick={() => onAdd(group.people)}
      >
        <span className="people-group-name">{group.name}</span>
        <small>{t('people.count', { count: group.people.length })}</small>
      </Button>
      <IconButton
        icon="edit"
        label={t('groups.renameOf', { name: group.name })}
        data-testid="group-rename"
        onClick={onRename}
      />
      <IconButton
        icon="cancel"
        danger
        label={t('groups.removeOf', { name: group.name })}
        data-testid="group-remove"
        onClick={onRemove}
      />
    </li>
  );
}

interface NameFormProps {
  name: string;
  submitText: ReactNode;
  onSubmit: (name: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for a group's name. It is inside the booking form, so it cannot be a form itself. */
function NameForm({ name, submitText, onSubmit, onClose }: NameFormProps) {
  const t = useTexts('meetings');
  const common = useTexts('common');
  const [typed, setTyped] = useState(name);
  const [fault, setFault] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async () => {
    if (typed.trim() === '') {
      setFault(t('groups.nameMissing'));
      return;
    }
    setIsBusy(true);
    try {
      await onSubmit(typed.trim());
      toast('success', () => t('groups.saved'));
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 406) setFault(error.message);
      else reportError(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="people-name">
      <TextField
        label={t('groups.name')}
        value={typed}
        error={fault}
        maxLength={LIMITS.displayName}
        autoFocus
        autoComplete="off"
        data-testid="group-name"
        onChange={({ target }) => {
          setTyped(target.value);
          setFault(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void submit();
          // Otherwise the surrounding drawer would close.
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <div className="people-name-buttons">
        <Button kind="primary" busy={isBusy} data-testid="group-save" onClick={() => void submit()}>
          {submitText}
        </Button>
        <Button onClick={onClose}>{common('cancel')}</Button>
      </div>
    </div>
  );
}

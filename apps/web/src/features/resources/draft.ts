import { RESOURCE_LIMITS, type MeetingResource, type MeetingResourceBody } from '@rmeet/contract';
import { firstZone } from '../../lib/rooms/zones.ts';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';

type Assignee = MeetingResource['assignedTo']['accounts'][number];

/** A resource in the form. */
export interface ResourceDraft {
  name: string;
  zone: string;
  /** Null: no limit. */
  ports: number | null;
  hours: number | null;
  timeZone: string;
  everybody: boolean;
  accounts: readonly Assignee[];
  departments: readonly string[];
  enabled: boolean;
}

/**
 * Initial values of a new resource: assigned to everyone, because the first resource excludes everyone it is not
 * assigned to.
 */
export function newResource(): ResourceDraft {
  return {
    name: '',
    zone: '',
    ports: null,
    hours: null,
    timeZone: firstZone() || 'UTC',
    everybody: true,
    accounts: [],
    departments: [],
    enabled: true,
  };
}

export function draftOf({
  name,
  zone,
  ports,
  hours,
  timeZone,
  enabled,
  assignedTo: { everybody, accounts, departments },
}: MeetingResource): ResourceDraft {
  return { name, zone, ports, hours, timeZone, enabled, everybody, accounts, departments };
}

/** The request body to create or change a resource; for a draft without faults. */
export function resourceBody({
  name,
  zone,
  everybody,
  accounts,
  departments,
  ...rest
}: ResourceDraft): MeetingResourceBody {
  const assignedTo = everybody
    ? { everybody }
    : { everybody, userIds: accounts.map(({ userId }) => userId), departments: [...departments] };
  return { ...rest, name: name.trim(), zone: zone.trim(), assignedTo };
}

type ResourceTexts = ReturnType<typeof useTexts<'resources'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** The errors of a resource found before anything is sent. */
export function resourceFaults(
  { name, ports, hours, everybody, accounts, departments }: ResourceDraft,
  t: ResourceTexts,
  admin: AdminTexts,
): FieldErrors<ResourceDraft> {
  const faults: FieldErrors<ResourceDraft> = {};
  if (name.trim() === '') faults.name = admin('invalid.required');
  if (ports !== null && (ports < 2 || ports > RESOURCE_LIMITS.ports))
    faults.ports = admin('invalid.range', { min: 2, max: RESOURCE_LIMITS.ports });
  if (hours !== null && (hours < 1 || hours > RESOURCE_LIMITS.hours))
    faults.hours = admin('invalid.range', { min: 1, max: RESOURCE_LIMITS.hours });
  if (!everybody && accounts.length + departments.length === 0) faults.accounts = t('form.nobody');
  return faults;
}

/** The assignees of a resource, in one line. */
export function assigneesOf(
  { everybody, accounts, departments }: MeetingResource['assignedTo'],
  t: ResourceTexts,
): string {
  return everybody ? t('everybody') : [...departments, ...accounts.map(({ name }) => name)].join(t('comma'));
}

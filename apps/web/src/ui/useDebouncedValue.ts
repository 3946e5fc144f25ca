import { useEffect, useState } from 'react';

/** What `value` was when it last stayed the same for a moment (milliseconds); for searches while somebody types. */
export function useDebouncedValue<T>(value: T, moment = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), moment);
    return () => clearTimeout(timer);
  }, [value, moment]);
  return settled;
}

import { useEffect, useState } from 'react';

/** The value once it has not changed for a moment (milliseconds); for searches while the user types. */
export function useDebouncedValue<T>(value: T, moment = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), moment);
    return () => clearTimeout(timer);
  }, [value, moment]);
  return settled;
}

export { hashPassword, verifyPassword } from './passwords.ts';
export { findAccount, findAccountByName, findAccounts, searchPeople } from './repo.ts';

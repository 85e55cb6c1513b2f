import { EMPTY, RULES, toRequest } from './register-rules';

describe('registration rules', () => {
  it('accepts an empty name and refuses a name of one letter', () => {
    expect(RULES.fullName('')).toBe(true);
    expect(RULES.fullName(' A ')).toBe('Full name must be at least 2 characters');
    expect(RULES.fullName('Al')).toBe(true);
  });

  it.each(['', 'tanya', 'tanya@', 'tanya@example', 'a b@example.com'])('refuses %p as an email address', (value) => {
    expect(RULES.email(value)).toBe('Please enter a valid email address');
  });

  it('requires a phone number of five characters', () => {
    expect(RULES.phoneNumber('1234')).toBe('Phone number is required');
    expect(RULES.phoneNumber('12345')).toBe(true);
  });

  it('compares the two passwords', () => {
    expect(RULES.confirmPassword('one', { password: 'two' })).toBe('Passwords do not match');
    expect(RULES.confirmPassword('one', { password: 'one' })).toBe(true);
  });

  it('omits the repeated password and an empty name', () => {
    const request = toRequest({ ...EMPTY, username: ' budi ', password: 'secret-12', confirmPassword: 'secret-12' });
    expect(request).toEqual({ username: 'budi', password: 'secret-12', email: '', phoneNumber: '' });
  });
});

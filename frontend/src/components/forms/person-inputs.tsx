import { Input, type InputProps } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';

/* Inputs for a person's details, with the keyboard of a phone, the browser's completion and the limits of the server. */

export const FullNameInput = (props: InputProps) => (
  <Input autoComplete="name" maxLength={LIMITS.fullName.max} {...props} />
);

export const EmailInput = (props: InputProps) => (
  <Input type="email" autoComplete="email" maxLength={LIMITS.email.max} {...props} />
);

export const PhoneInput = (props: InputProps) => (
  <Input type="tel" autoComplete="tel" maxLength={LIMITS.phoneNumber.max} {...props} />
);

import { render, screen } from '@testing-library/react';
import QrCode from './qr-code';

describe('QrCode', () => {
  it('draws dark modules on a light ground with a quiet zone', () => {
    render(<QrCode text="otpauth://totp/Tanya:sari?secret=GEZDGNBVGY3TQOJQ" label="QR code" />);
    const picture = screen.getByRole('img', { name: 'QR code' });
    const path = picture.querySelector('path')!.getAttribute('d')!;
    const columns = [...path.matchAll(/M(\d+) (\d+)/g)].map(([, x]) => Number(x));
    expect(Math.min(...columns)).toBe(4);
    // The finder pattern at the top left: seven dark modules.
    for (let x = 4; x < 11; x += 1) expect(path).toContain(`M${x} 4h1`);
    expect(path).not.toContain('M11 4h1');
  });
});

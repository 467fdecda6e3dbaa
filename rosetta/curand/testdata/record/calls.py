# Commands for host.cu: python3 calls.py a|b|c|d|gpus
import sys
out = []
def gen(name, steps, seed=42, off=None, order=None):
    out.append('new ' + name)
    if order is not None: out.append('order %d' % order)
    out.append('seed %d' % seed)
    if off is not None: out.append('offset %d' % off)
    out.extend(steps)
A = {'u32': '', 'uniform': '', 'uniform_double': '', 'normal': ' 0.1 0.3', 'normal_double': ' 0.1 0.3', 'log_normal': ' 0.1 0.3', 'log_normal_double': ' 0.1 0.3'}
def c(k, n): return '%s %d%s' % (k, n, A[k])
D = ('uniform_double', 'normal_double', 'log_normal_double'); F = ('u32', 'uniform', 'normal', 'log_normal')
T = 67584
s = sys.argv[1]
if s == 'gpus':
    for o in (0, 1000003): gen('dyn_off%d_n300000' % o, ['u32 300000'] * 3, off=o, order=104)
    gen('dyn_double', ['uniform_double 600000'] * 2, off=0, order=104)
    gen('dyn_jump', ['u32 8'] * 2, off=540672, order=104)
if s == 'a':
    offs = [4 * (T // 8) * i for i in range(1, 25)] + [4 * T * 2 - 4, 4 * T * 2 + 1, 4 * T * 2 + 4, 4 * T - 4, 4 * T + 4, 4 * T * 3, 4 * T * 4, 262144, 262148, 524288, 1 << 21, 1 << 24, 1 << 30, 1 << 34, 1 << 40, 123456789]
    for o in offs: gen('dyn_off%d_n8' % o, ['u32 8'] * 2, off=o, order=104)
    for n in (1, 3, 5, 100, 4096, 10000, 50000, 270336, 300000, 3000000): gen('dyn_off540672_n%d' % n, ['u32 %d' % n, 'u32 %d' % n, 'u32 8'], off=540672, order=104)
    for n in (1, 5, 1000, 300000, 3000000): gen('dyn_off0_n%d' % n, ['u32 %d' % n] * 2 + ['u32 8'], off=0, order=104)
    for r in (101, 104):
        gen('set_%d_seed' % r, ['u32 5', 'seed 7', 'u32 5', 'u32 5', 'uniform_double 3', 'seed 7', 'uniform_double 3'], order=r, off=9)
        gen('set_%d_offset' % r, ['u32 5', 'offset 9', 'u32 5', 'u32 5', 'uniform_double 3', 'offset 1', 'uniform_double 3', 'offset 0', 'u32 8', 'offset 0', 'uniform_double 3'], order=r)
        gen('set_%d_order' % r, ['u32 5', 'order %d' % (205 - r), 'u32 5', 'order %d' % r, 'u32 5', 'uniform_double 3', 'order %d' % (205 - r), 'uniform_double 3'], order=r)
        gen('set_%d_far' % r, ['u32 20000', 'offset 1000003', 'u32 8', 'u32 8', 'offset 540672', 'u32 8', 'u32 8', 'seed 42', 'u32 8', 'u32 8', 'uniform_double 8', 'offset 540672', 'uniform_double 8', 'uniform_double 8'], order=r)
        gen('set_%d_late' % r, ['order %d' % r, 'u32 8', 'u32 8'], off=540672)
        gen('set_%d_late2' % r, ['u32 8', 'order %d' % r, 'u32 8', 'u32 8'], off=540672)
        gen('set_%d_twice' % r, ['offset 540672', 'u32 8', 'u32 8'], order=r, off=540672)
        gen('set_%d_twice2' % r, ['offset 8', 'u32 8', 'u32 8'], order=r, off=540672)
        gen('set_%d_empty' % r, ['u32 0', 'u32 8', 'u32 8'], order=r, off=540672)
    for o in (0, 1, 540672, 1000003):
        for k in D + ('normal',): gen('dyn_kinds_%s_off%d' % (k, o), ['u32 5', c(k, 6), 'u32 8', c(k, 8), 'u32 8', c('normal', 8), c('uniform_double', 5), 'u32 8'], off=o, order=104)
    for o in (0, 1, 3, 540672, 1000003):
        for k in D: gen('dyn_%s_off%d' % (k, o), [c(k, 600000), c(k, 300000), c(k, 8)], off=o, order=104)
        for k in F: gen('dyn_%s_off%d' % (k, o), [c(k, 300000), c(k, 20002), c(k, 8)], off=o, order=104)
if s == 'b':
    for o in (0, 1, 3, 4, 6, 262143, 1000003, 1048570):
        for k in D: gen('wrap_%s_off%d' % (k, o), [c(k, 600000), c(k, 300000)], off=o)
    for o in (3, 1000003):
        for k in F: gen('wrap_%s_off%d' % (k, o), [c(k, 300000), c(k, 20002)], off=o)
    gen('big_off', ['u32 20', 'uniform_double 20', 'u32 20'], off=(1 << 63) + 12345)
    gen('top_off', ['u32 20', 'uniform_double 20', 'u32 20'], off=(1 << 64) - 6)
    gen('off50', ['u32 600000', 'uniform_double 300000', 'u32 20'], off=(1 << 50) - 100003)
    for k in ('normal', 'normal_double', 'log_normal', 'log_normal_double'):
        for i, (m, d) in enumerate(((0.1, 0.3), (0, 1), (-3.7, 12.9), (1e-3, 1e-6), (0, 0), (0, -1), (1, 1e30))):
            gen('scale_%s_%d' % (k, i), ['%s 20000 %r %r' % (k, m, d)])
    for k in D + F + ('poisson', 'longlong'):
        for n in (0, 1, 3, 4, 7):
            a = ' 3.5' if k == 'poisson' else A.get(k, '')
            gen('len_%s_%d' % (k, n), ['u32 2', '%s %d%s' % (k, n, a), 'u32 8', '%s 8%s' % (k, a), 'u32 8'])
    for r in (0, 99, 100, 102, 103, 105, 201): gen('order_%d' % r, ['u32 8', 'normal 8 0 1', 'uniform_double 8'], order=r)
    for l in ('0.5', '3.5', '10', '63', '64', '100', '500', '999', '1000', '1999', '2000', '2001', '3999', '4001', '10000', '400000', '400001', '0', '-1', 'nan'):
        gen('poisson_off0_%s' % l, ['poisson 8192 ' + l, 'poisson 5 ' + l, 'u32 8', 'poisson 5 ' + l, 'uniform_double 4'])
    for l in ('3.5', '100', '2000', '10000'):
        for o in (1, 1000003): gen('poisson_off%d_%s' % (o, l), ['poisson 1000 ' + l, 'poisson 5 ' + l, 'u32 8', 'poisson 5 ' + l, 'uniform_double 4'], off=o)
        gen('poisson_long_%s' % l, ['poisson 300001 ' + l, 'poisson 100000 ' + l, 'u32 8'])
        gen('poisson_dyn_%s' % l, ['poisson 300001 ' + l, 'u32 8'], order=104)
if s == 'c':
    for o in (None, 1000003):
        for k2 in ('uniform_double', 'normal_double', 'normal', 'uniform'):
            for n1 in (1, 2, 3, 4, 6, 20000):
                for n2 in (1, 2, 4, 5, 6, 8, 20000, 262150):
                    if n2 % 2 and 'normal' in k2: continue
                    gen('kinds_off%s_u32_%d_%s_%d' % (o or 0, n1, k2, n2), ['u32 %d' % n1, c(k2, n2), 'u32 8', c(k2, 8), 'u32 8', c('normal', 8), c('uniform_double', 5), 'u32 8'], off=o)
if s == 'd':
    # another seed or ordering after other calls
    for o in (None, 1, 9, 1000003):
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 20, 31, 100, 1000, 1027, 20000, 262144, 262149, 300001):
            gen('reseed_u32_%d_off%d' % (n, o or 0), ['u32 %d' % n, 'seed 7', 'u32 8', 'u32 3', 'u32 8', 'seed 42', 'u32 8'], off=o)
    for n in (1, 2, 3, 4, 5, 8, 9, 16, 20, 1000, 1027, 300001):
        gen('reseed_double_%d' % n, ['uniform_double %d' % n, 'seed 7', 'u32 8', 'uniform_double 5', 'seed 42', 'u32 8'])
        gen('reseed_dyn_%d' % n, ['u32 %d' % n, 'seed 7', 'u32 8', 'u32 8', 'seed 42', 'u32 8'], order=104)
        gen('reseed_twice_%d' % n, ['u32 %d' % n, 'seed 7', 'seed 42', 'u32 8', 'u32 8'])
        gen('reorder_%d' % n, ['u32 %d' % n, 'order 104', 'u32 8', 'order 101', 'u32 8', 'order 103', 'u32 8', 'order 100', 'u32 8'])
        gen('reorder_twice_%d' % n, ['u32 %d' % n, 'order 104', 'order 101', 'u32 8', 'u32 8'])
        gen('reseed_two_%d' % n, ['u32 3', 'u32 %d' % n, 'u32 2', 'seed 7', 'u32 8', 'u32 8'])
        gen('reoffset_same_%d' % n, ['u32 %d' % n, 'offset 0', 'u32 8', 'u32 8', 'seed 7', 'u32 8'])
        gen('reoffset_order_%d' % n, ['u32 %d' % n, 'offset 9', 'order 104', 'u32 8', 'seed 7', 'u32 8', 'offset 9', 'u32 8'])
    for o in (337920, 540668): 
        for k in range(3): gen('race_off%d_%d' % (o, k), ['u32 300000', 'u32 8'], off=o, order=104)
print('\n'.join(out))

/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <nn.h>
#include <pair.h>
int main(void)
{
	int a = nn_socket(AF_SP, NN_PAIR), b = nn_socket(AF_SP, NN_PAIR);
	char got;
	assert(nn_bind(a, "inproc://x") >= 0 && nn_connect(b, "inproc://x") >= 0);
	assert(nn_send(a, "y", 1, 0) == 1 && nn_recv(b, &got, 1, 0) == 1 && got == 'y');
	assert(nn_close(a) == 0 && nn_close(b) == 0);
}

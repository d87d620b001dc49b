#!/bin/sh
# A node, in a network and a mount namespace of its own: containerd, kube-proxy and kubelet on the file system of the packages, with what
# is in the folder `files` beside it.
set -eu
packages=$1 home=$2 images=$3 name=$4 address=$5 dns=$6 zone=$7

mkdir -p "$home/root" "$home/work" "$home/files/old" "$home/files/images"
mount -t overlay overlay -o "lowerdir=$packages,upperdir=$home/files,workdir=$home/work" "$home/root"
for folder in proc sys dev; do mount --rbind "/$folder" "$home/root/$folder"; done
# containerd's own overlays, and the disk whose size kubelet reports, have to be on the host's file system.
for folder in var/lib/containerd var/lib/kubelet; do
  mkdir -p "$home/disk/$folder" "$home/root/$folder"
  mount --bind "$home/disk/$folder" "$home/root/$folder"
done
mount --bind "$images" "$home/root/images"
mount -t tmpfs tmpfs "$home/root/run"
# kubelet would set these for the whole machine: it sees them set.
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 \
  kernel/keys/root_maxbytes=25000000; do
  file="$home/set-$(basename "${setting%=*}")"
  echo "${setting#*=}" >"$file"
  mount --bind "$file" "$home/root/proc/sys/${setting%=*}"
done
cd "$home/root"
pivot_root . old
cd /
umount --lazy /old
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

containerd >/var/log/containerd.log 2>&1 &
until ctr version >/dev/null 2>&1; do sleep 0.2; done
for archive in /images/*.tar; do ctr -n k8s.io images import "$archive" >>/var/log/images.log 2>&1; done
# This kernel's limits on connections are the host's, and the order in which it kills processes too.
kube-proxy --kubeconfig=/etc/kubernetes/kubeconfig --hostname-override="$name" --proxy-mode=iptables --cluster-cidr=10.244.0.0/16 \
  --iptables-min-sync-period=100ms --oom-score-adj=0 --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0 \
  >/var/log/kube-proxy.log 2>&1 &
exec kubelet --kubeconfig=/etc/kubernetes/kubeconfig --hostname-override="$name" --node-ip="$address" \
  --node-labels="topology.kubernetes.io/zone=$zone" --cluster-dns="$dns" --cluster-domain=cluster.local --resolv-conf=/etc/resolv.conf \
  --container-runtime=remote --container-runtime-endpoint=unix:///run/containerd/containerd.sock \
  --cgroup-driver=cgroupfs --cgroup-root="/payroll-$name" --oom-score-adj=0 --eviction-hard= --fail-swap-on=false \
  --image-gc-high-threshold=100 --authorization-mode=AlwaysAllow --anonymous-auth=true >/var/log/kubelet.log 2>&1
